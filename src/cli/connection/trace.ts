import type { Transport } from '../../contract/call.ts'
import { operation, pathOf } from '../../contract/operations.ts'
import type { Io } from '../base/io.ts'

const secretHeaders = /^(x-api-key|authorization|cookie)$/
const secretFields = /("(?:secret|key|api_key)"\s{0,9}:\s{0,9}")[^"]*/g
const shownMax = 2000

/** For --debug: every call and its reply on stderr, without secrets. */
export function traced(io: Io): (transport: Transport) => Transport {
  return (transport) => async (call) => {
    const started = io.now()
    const id = call.operation
    const query = call.query.length > 0 ? `?${new URLSearchParams(call.query as [string, string][])}` : ''
    const path = id === undefined ? '?' : `${operation(id).method} ${pathOf(id, call.params)}${query}`
    io.err.write(`> ${path}\n${headerLines('>', call.headers)}`)
    const body = await call.body()
    if (body.kind === 'json') io.err.write(`> ${shown(body.text)}\n`)
    for (const file of body.kind === 'form' ? body.files : []) {
      io.err.write(`> ${file.name}: ${file.bytes.length} bytes\n`)
    }
    const reply = await transport(call)
    io.err.write(`< ${reply.status} after ${io.now() - started} ms\n${headerLines('<', reply.headers)}`)
    io.err.write(`< ${shown(reply.body)}\n`)
    return reply
  }
}

function headerLines(mark: string, headers: Readonly<Record<string, unknown>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${mark} ${name}: ${secretHeaders.test(name) ? '[hidden]' : String(value)}\n`)
    .join('')
}

function shown(text: string): string {
  const blanked = text.replaceAll(secretFields, '$1[hidden]')
  return blanked.length > shownMax ? `${blanked.slice(0, shownMax)}… (${blanked.length} characters)` : blanked
}
