import type { Call, Reply } from '../../contract/call.ts'
import { invalid } from '../../domain/refusal.ts'
import { schemaVersion } from '../../store/schema-version.ts'
import type { Scope } from '../../store/tables/scopes.ts'

/** `If-None-Match` as it was sent: the entity tags without their `W/`, or `*`. */
type Condition = '*' | readonly string[] | undefined

const listOfTags = /^\s*(?:W\/)?"[^"]*"\s*(?:,\s*(?:W\/)?"[^"]*"\s*)*$/

/** Throws `invalid` on what is neither `*` nor a list of entity tags (RFC 9110, 13.1.2). */
export function conditionOf({ headers }: Call): Condition {
  const sent = headers['if-none-match']
  if (sent === undefined) return undefined
  const text = typeof sent === 'string' ? sent : sent.join(',')
  if (text.trim() === '*') return '*'
  if (!listOfTags.test(text)) throw invalid({ 'If-None-Match': ['must be a list of entity tags, or *'] })
  return text.match(/"[^"]*"/g) ?? []
}

/**
 * The entity tag that this address has as long as nothing of the scope changes: known before any of the work is done. It
 * names the partner too, since one client may have keys of several, and the release, which may render otherwise.
 */
export function etagOfVersion(
  { operation, params, query, baseUrl }: Call,
  { partner_id, environment }: Scope,
  version: string,
  release: string | undefined,
): string {
  const scope = [partner_id, environment, version, release, schemaVersion]
  return tagged(JSON.stringify([scope, baseUrl, operation, params, query]))
}

/** The entity tag of an answer that changes by itself: known once it is there. */
export function etagOfText(text: string): string {
  return tagged(text)
}

/** Weak: the same answer has it in every content coding. */
function tagged(text: string): string {
  return `W/"${process.getBuiltinModule('node:crypto').hash('sha1', text, 'base64url')}"`
}

export function isMatch(condition: Condition, etag: string): boolean {
  return condition !== undefined && condition !== '*' && condition.includes(etag.slice(2))
}

/** An answer that is there, with its entity tag; 304 where the condition is that it should not be. */
export function withEtag(reply: Reply, etag: string, condition: Condition): Reply {
  if (condition === '*' || isMatch(condition, etag)) return notModified(etag)
  reply.headers.etag = etag
  return reply
}

export function notModified(etag: string): Reply {
  return { status: 304, headers: { etag }, body: '' }
}
