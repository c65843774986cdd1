import type { Call, Coding, Reply } from '../../contract/call.ts'
import { operation } from '../../contract/operations.ts'
import { parseRequest } from '../parsing/parse.ts'
import { compress, conditionOf, etagOfText, withEtag } from '../representation.ts'
import { jsonReply } from './reply.ts'

const packed = new Map<Coding | undefined, Promise<Uint8Array>>()
let etag: string | undefined

/** Needs no key, so all responses share bytes that are rendered and compressed once: unread copies would fill the memory. */
export async function answerOpenApi(call: Call, coding: Coding | undefined): Promise<Reply> {
  const { openApiText } = await import('../../contract/document/openapi.ts')
  await parseRequest(operation('getOpenApi'), call, { kind: 'empty' })
  const text = openApiText()
  etag ??= etagOfText(text)
  const reply = withEtag(jsonReply(200, text), etag, conditionOf(call))
  if (reply.status === 304) return reply
  const bytes = packed.get(coding) ?? (coding ? compress(text, coding) : Promise.resolve(Buffer.from(text)))
  packed.set(coding, bytes)
  return { ...reply, encoded: { coding, bytes: await bytes } }
}
