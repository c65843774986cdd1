import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import { type WebhookEventType, webhookEventTypes } from '../../contract/enums.ts'
import { graceSecondsMax } from '../../contract/limits.ts'
import type { Subscription, SubscriptionUpdate } from '../../contract/resources/event.ts'
import { sha256 } from '../../domain/computing.ts'
import { isUuid } from '../../domain/uuid.ts'
import { removeOlder } from '../base/drafts.ts'
import { makeFolder, ownerOnly, replaceFile } from '../base/durable-file.ts'
import { ifPossible } from '../base/system-fault.ts'
import type { Session } from '../command.ts'
import { lookedUp, offered } from '../connection/operation-support.ts'
import { byId, type PageQuery, walkPages } from '../connection/paging.ts'
import { stateFolder } from '../connection/target-settings.ts'
import type { Target } from '../connection/target-type.ts'
import { eventTypeFilter } from '../find/filters.ts'
import { onlyMatch } from '../find/find-by-reference.ts'

/** Throws `not_found`, or `usage` if several have the address. */
export async function findSubscriptionId(client: Client, given: string): Promise<string> {
  if (isUuid(given)) return given
  const all = await lookedUp(client, 'webhook by its address', () => everySubscription(client))
  const found = all.filter(isAt(given))
  const told = ({ created_at }: Subscription): string => `created ${created_at}`
  return onlyMatch(found, given, { noun: 'webhook', by: 'address', told }).id
}

/** The other webhook from which the receiver already gets some of the events, after a change to `id` or for a new webhook. */
export async function doubleOf(
  client: Client,
  change: SubscriptionUpdate,
  id?: string,
): Promise<Subscription | undefined> {
  const all = (await offered(client, everySubscription(client))) ?? []
  const own = all.find((each) => each.id === id?.toLowerCase())
  const { url, event_types } = { ...own, ...change }
  const types = [event_types].flat()
  return all
    .filter(isAt(url ?? ''))
    .find((each) => each !== own && each.event_types.some((type) => types.includes(type)))
}

async function everySubscription(client: Client): Promise<Subscription[]> {
  const fetch = (query: PageQuery) => client.listSubscriptions({ query })
  return (await Array.fromAsync(walkPages({ fetch, keyOf: byId }))).flatMap(({ results }) => results)
}

function isAt(address: string): (subscription: Subscription) => boolean {
  const spelled = (url: string): string => URL.parse(url)?.href ?? url
  const wanted = spelled(address)
  return ({ url }) => spelled(url) === wanted
}

export const typesOption = '--type <types>'

/** In the interface's order; all types for `all`. Throws `usage`. */
export function typesFrom(text: string): WebhookEventType[] {
  if (text.trim() === 'all') return [...webhookEventTypes]
  const wanted = eventTypeFilter(text)
  return webhookEventTypes.filter((type) => wanted?.has(type))
}

export const webhookArguments = (command: Command): Command =>
  command.argument('<webhook...>', 'Ids or addresses; - for lines of stdin')

export function webhookArgument(command: Command): Command {
  return command.argument('<webhook>', 'Webhook id or address')
}

/** With a database as the target, nothing is sent unless a service runs on it. */
export function noticeSender({ notice }: Session, { file }: Target): void {
  if (file === undefined) return
  notice(`Queued; it is sent while the service runs on this database: custody serve --database ${file}`)
}

/** `until`: the end of the grace period, in which the earlier secret signs too. */
export type Rotation = { at: string; until: string }

/** The service does not say whether a grace period is running, so the tool remembers those that it started. */
export async function rotationNote(session: Session, subscriptionId: string) {
  const { io } = session
  const { identity } = await session.target()
  const file = join(stateFolder(io.env), 'rotations', sha256(`${identity} ${subscriptionId}`).slice(0, 40))
  return {
    running(): Rotation | undefined {
      const rotation = ifPossible((): Rotation => JSON.parse(readFileSync(file, 'utf8')))
      return Date.parse(rotation?.until ?? '') > io.now() ? rotation : undefined
    },
    /** Never throws, because the new secret must be shown in any case. */
    note(graceSeconds: number): void {
      const [at, until] = [io.now(), io.now() + graceSeconds * 1000].map((ms) => new Date(ms).toISOString())
      ifPossible(() => {
        makeFolder(dirname(file))
        removeOlder(dirname(file), graceSecondsMax * 1000, io.now())
        replaceFile(file, JSON.stringify({ at, until }), ownerOnly)
      })
    },
  }
}
