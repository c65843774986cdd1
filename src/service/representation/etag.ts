import { hash } from 'node:crypto'
import type { Call, Reply } from '../../contract/call.ts'
import { invalid } from '../../domain/rejection.ts'
import { schemaVersion } from '../../store/schema-version.ts'
import type { Scope } from '../../store/tables/scopes.ts'

type Condition = '*' | readonly string[] | undefined

/** Empty elements, which some proxies leave behind, are ignored (RFC 9110, 5.6.1.2). */
const listOfTags = /^[\s,]*(?:W\/)?"[^"]*"(?:\s*,[\s,]*(?:W\/)?"[^"]*")*[\s,]*$/

/** Throws `invalid` on anything but `*` or a list of entity tags (RFC 9110, 13.1.2). */
export function conditionOf({ headers }: Call): Condition {
  const sent = headers['if-none-match']
  if (sent === undefined) return undefined
  const text = typeof sent === 'string' ? sent : sent.join(',')
  if (text.trim() === '*') return '*'
  if (!listOfTags.test(text)) throw invalid({ 'If-None-Match': ['must be a list of entity tags, or *'] })
  return text.match(/"[^"]*"/g) ?? []
}

/** Includes the partner, since a client may have keys of several, and the release, which may render differently. */
export function etagOfVersion(
  { operation, params, query, baseUrl }: Call,
  { partner_id, environment }: Scope,
  version: string,
  release: string | undefined,
): string {
  const scope = [partner_id, environment, version, release, schemaVersion]
  return tagged(JSON.stringify([scope, baseUrl, operation, params, query]))
}

/** For a response that changes without any write. */
export function etagOfText(text: string): string {
  return tagged(text)
}

/** Weak, because the response has the same tag in every content coding. */
function tagged(text: string): string {
  return `W/"${hash('sha1', text, 'base64url')}"`
}

export function isMatch(condition: Condition, etag: string): boolean {
  return condition !== undefined && condition !== '*' && condition.includes(etag.slice(2))
}

export function withEtag(reply: Reply, etag: string, condition: Condition): Reply {
  if (condition === '*' || isMatch(condition, etag)) return notModified(etag)
  reply.headers.etag = etag
  return reply
}

export function notModified(etag: string): Reply {
  return { status: 304, headers: { etag }, body: '' }
}
