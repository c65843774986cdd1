import type { Call, CallBody } from '../contract/call.ts'
import { type OperationId, operation, pathOf } from '../contract/operations.ts'

export type Sender = {
  apiKey: string
  userAgent?: string | undefined
}

export function addressOf(call: Call): URL {
  const url = new URL(call.baseUrl + pathOf(idOf(call), call.params))
  for (const [name, value] of call.query) url.searchParams.append(name, value)
  return url
}

export function methodOf(call: Call): string {
  return operation(idOf(call)).method
}

export function headersOf(
  call: Call,
  body: WireBody | undefined,
  { apiKey, userAgent = `custody/${CUSTODY_VERSION}` }: Sender,
): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {
    accept: 'application/json',
    'user-agent': userAgent,
    'x-api-key': apiKey,
  }
  if (body) headers['content-type'] = body.type
  for (const [name, value] of Object.entries(call.headers)) {
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : [...value]
  }
  return headers
}

/** A proxy may send a header twice. */
export function plainHeaders(
  found: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(found)) {
    if (value !== undefined)
      headers[name] = typeof value === 'string' ? value : [...new Set(value)].join(', ')
  }
  return headers
}

export function idOf({ operation }: Call): OperationId {
  if (operation === undefined) throw new TypeError('a call over HTTP needs an operation')
  return operation
}

export type WireBody = { type: string; chunks: Uint8Array[]; length: number }

const utf8 = new TextEncoder()

/** Written by hand: the web's own FormData would cost every command 34 ms at start. `boundary` must not occur in the form. */
export function wireBody(body: CallBody, boundary: string): WireBody | undefined {
  if (body.kind === 'empty') return undefined
  if (body.kind === 'json') return wire('application/json', [encode(body.text)])
  const chunks: Uint8Array[] = []
  for (const [name, text] of body.fields) chunks.push(encode(`${head(boundary, name)}\r\n\r\n${text}\r\n`))
  for (const { name, bytes } of body.files) {
    const disposition = `${head(boundary, name)}; filename="${escapeName(name)}.csv"`
    chunks.push(encode(`${disposition}\r\nContent-Type: text/csv\r\n\r\n`), bytes, encode('\r\n'))
  }
  chunks.push(encode(`--${boundary}--\r\n`))
  return wire(`multipart/form-data; boundary=${boundary}`, chunks)
}

function wire(type: string, chunks: Uint8Array[]): WireBody {
  return { type, chunks, length: chunks.reduce((sum, { length }) => sum + length, 0) }
}

function head(boundary: string, name: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"`
}

/** Escapes as browsers do. */
function escapeName(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
}

function encode(text: string): Uint8Array {
  return utf8.encode(text)
}
