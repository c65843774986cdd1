import { hash } from 'node:crypto'
import type { Transform } from 'node:stream'
import type { ZstdOptions } from 'node:zlib'
import type { Call, Coding, Reply } from '../contract/call.ts'
import { invalid } from '../domain/rejection.ts'
import { schemaVersion } from '../store/schema-version.ts'
import type { Scope } from '../store/tables/scopes.ts'

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
  return etagOfText(JSON.stringify([scope, baseUrl, operation, params, query]))
}

/** Weak, because the response has the same tag in every content coding. */
export function etagOfText(text: string): string {
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

/** Compressing shorter texts gains nothing. */
const plainMax = 1024

/** Best first, for clients without a preference. */
const codings: readonly Coding[] = ['zstd', 'gzip']

const element = /^\s*([\w!#$%&'*+.^`|~-]+)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i

/** `coding`: undefined if the response is not compressed. `isPlainRejected`: the client accepts no uncompressed response. */
type Accepted = { coding: Coding | undefined; isPlainRejected: boolean }

/** Throws `invalid` if `Accept-Encoding` cannot be parsed: the client might not be able to read the response. */
export function acceptedCoding(header: string | readonly string[] | undefined): Accepted {
  if (header === undefined) return { coding: undefined, isPlainRejected: false }
  const wanted = weightsOf(typeof header === 'string' ? header : header.join(','))
  const others = wanted.get('*')
  const isPlainRejected = (wanted.get('identity') ?? others) === 0
  let best: Coding | undefined
  let most = 0
  for (const coding of codings) {
    const weight = wanted.get(coding) ?? (coding === 'gzip' ? others : undefined) ?? 0
    if (weight > most) [best, most] = [coding, weight]
  }
  return { coding: most < (wanted.get('identity') ?? 0) ? undefined : best, isPlainRejected }
}

function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.split(',')) {
    if (part.trim() === '') continue
    const [, name = '', weight = '1'] = element.exec(part) ?? []
    if (name === '') throw invalid({ 'Accept-Encoding': ['must be a list of codings, such as gzip;q=0.5'] })
    weights.set(name.toLowerCase().replace(/^x-/, ''), Number(weight))
  }
  return weights
}

/** Compresses in another thread. A long response is only marked here, and compressed piece by piece while it is sent. */
export async function encoded(
  reply: Reply,
  { coding, isPlainRejected }: Accepted,
  longAnswer: number,
): Promise<Reply> {
  reply.headers.vary = 'Accept-Encoding'
  const shortest = isPlainRejected ? 1 : plainMax + 1
  if (coding === undefined || reply.encoded || reply.body.length < shortest) return reply
  if (reply.body.length > longAnswer) return { ...reply, encoded: { coding } }
  return { ...reply, encoded: { coding, bytes: await compress(reply.body, coding) } }
}

export function compress(text: string, coding: Coding): Promise<Buffer> {
  const { gzip, zstdCompress } = zlib()
  const whole = Buffer.from(text)
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, bytes: Buffer): void => (error ? reject(error) : resolve(bytes))
    if (coding === 'gzip') gzip(whole, gzipOptions, done)
    // Knowing the size, the compressor makes smaller tables, which would otherwise take half of its time.
    else zstdCompress(whole, { ...zstdOptions(), pledgedSrcSize: whole.length }, done)
  })
}

export function compressor(coding: Coding): Transform {
  const { createGzip, createZstdCompress } = zlib()
  return coding === 'gzip' ? createGzip(gzipOptions) : createZstdCompress(zstdOptions())
}

/** Higher levels take twice the time and hardly save bytes. */
const gzipOptions = { level: 4 }

function zstdOptions(): ZstdOptions {
  return { params: { [zlib().constants.ZSTD_c_compressionLevel]: 1 } }
}

/** Loaded on first use: few commands compress anything. */
function zlib(): typeof import('node:zlib') {
  return process.getBuiltinModule('node:zlib')
}
