import type { Command } from 'commander'
import { type WebhookEventType, webhookEventTypes } from '../../contract/enums.ts'
import { eventTypeFilter } from '../find/event-type-filter.ts'

export const typesOption = '--type <types>'

/** The types that --type names, in the order of the interface; all of them for `all`. Throws `usage`. */
export function typesFrom(text: string): WebhookEventType[] {
  if (text.trim() === 'all') return [...webhookEventTypes]
  const wanted = eventTypeFilter(text)
  return webhookEventTypes.filter((type) => wanted?.has(type))
}

export function webhookArgument(command: Command): Command {
  return command.argument('<webhook>', 'its id or address')
}
