import { type WebhookEventType, webhookEventTypes } from '../../contract/enums.ts'
import { didYouMean, usage } from '../base/cli-error.ts'

export type TypeFilter = ReadonlySet<string> | undefined

/** Throws `usage` for an unknown type. */
export function eventTypeFilter(text: string | undefined): TypeFilter {
  if (text === undefined) return undefined
  const names = text.split(',').map((name) => name.trim())
  for (const name of names) {
    if (webhookEventTypes.includes(name as WebhookEventType)) continue
    const known = `The types are ${webhookEventTypes.join(', ')}.`
    throw usage(`--type: there is no event type "${name}".`, didYouMean(name, webhookEventTypes, known))
  }
  return new Set(names)
}
