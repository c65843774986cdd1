import type { Client, Request } from '../client/library.ts'
import type { WebhookEvent } from '../contract/resources/event.ts'
import type { IntakeEvent } from '../contract/resources/item.ts'

// The types of `custody/testing`; docs/testing.md describes them.

export type StartOptions = {
  /** A database file, which a later start continues from; default: in memory. */
  file?: string | undefined
  /** The time until `advance` changes it (default 2026-01-01T09:00:00.000Z). */
  now?: string | Date | undefined
  /** Determines identifiers, keys and secrets (default 1): the same calls give the same bytes. */
  seed?: number | undefined
  partner?: string | undefined
  /** Receives the webhooks of every subscription, for any address; nothing is sent over a network. */
  onWebhook?: ((webhook: Webhook) => WebhookAnswer | Promise<WebhookAnswer>) | undefined
}

/** A webhook as it would be posted. `headers` sign the exact bytes of `body`, at the machine's own time. */
export type Webhook = {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  event: WebhookEvent
  /** Number of the attempt, from 1. */
  attempt: number
}

/** The status of the response; default 204. If the handler throws, the receiver counts as unreachable. */
// biome-ignore lint/suspicious/noConfusingVoidType: most handlers return nothing
type WebhookAnswer = number | void

type Span = { [unit in 'days' | 'hours' | 'minutes' | 'seconds']?: number | undefined }

/** A separate sandbox in this process: the whole service, without a network. */
export type Custody = {
  /** A client as from `custody/client`. */
  client: Client
  apiKey: string
  /** The root of addresses in responses; see `listen` for one that can be called. */
  baseUrl: string
  /** Simulates the arrival of a manifest, by reference or id: all of it, or as `how` says. */
  receive(manifest: string, how?: Request<'receiveManifest'>['body']): Promise<IntakeEvent[]>
  /** Moves the clock and runs everything that becomes due. Returns the new time. */
  advance(span: Span): Promise<string>
  /** Every event so far, oldest first. */
  events(): Promise<WebhookEvent[]>
  /** Resolves once every due webhook has been handled. A handler must not wait for it. */
  delivered(): Promise<void>
  /** Also serves HTTP on a free port of this machine, for tests from outside the process. */
  listen(): Promise<{ baseUrl: string }>
  close(): Promise<void>
}

export type StartCustody = (options?: StartOptions) => Promise<Custody>
