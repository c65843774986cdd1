import type { Client, Request } from '../client/library.ts'
import type { WebhookEvent } from '../contract/resources/event.ts'
import type { IntakeEvent } from '../contract/resources/item.ts'

// The types of `custody/testing`; the page is docs/testing.md.

export type StartOptions = {
  /** A database file that is kept, and goes on where it ended. In memory where it is left out. */
  file?: string
  /** When it is, until `advance` moves it on (default 2026-01-01T09:00:00.000Z). */
  now?: string | Date
  /** Identifiers, keys and secrets follow from it (default 1): the same calls give the same bytes. */
  seed?: number
  partner?: string
  /** Receives the webhooks of every subscription, whatever its address is; nothing goes out to a network. */
  onWebhook?: (webhook: Webhook) => WebhookAnswer | Promise<WebhookAnswer>
}

/** As it would be posted. `body` are the exact bytes that `headers` sign, at the machine's own time. */
export type Webhook = {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  event: WebhookEvent
  /** Which attempt it is, from 1. */
  attempt: number
}

/** A status; 204 where there is none. A handler that throws is a receiver that cannot be reached. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler that answers nothing is the ordinary one
type WebhookAnswer = number | void

type Span = { days?: number; hours?: number; minutes?: number; seconds?: number }

/** A sandbox of its own in this process: the whole service, without a network. */
export type Custody = {
  /** As that of `custody/client`. */
  client: Client
  apiKey: string
  /** What addresses in answers begin with; see `listen` for one that can be called. */
  baseUrl: string
  /** What is on a manifest arrives, all of it or as told. By its reference or its id. */
  receive(manifest: string, how?: Request<'receiveManifest'>['body']): Promise<IntakeEvent[]>
  /** Time passes, and what becomes due meanwhile is done. Answers what time it is then. */
  advance(span: Span): Promise<string>
  /** Every event so far, oldest first. */
  events(): Promise<WebhookEvent[]>
  /** Resolves once every webhook that is due has been handled. A handler must not wait for it. */
  delivered(): Promise<void>
  /** Serves it over HTTP too, on a free port of this machine, for what is tested from outside. */
  listen(): Promise<{ baseUrl: string }>
  close(): Promise<void>
}

export type StartCustody = (options?: StartOptions) => Promise<Custody>
