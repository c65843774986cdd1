import { usage } from '../base/cli-error.ts'
import { readInput } from '../base/input-file.ts'
import type { Io } from '../base/io.ts'

export type HeaderOptions = { headers?: string; id?: string; timestamp?: string; signature?: string }

/** The three headers of Standard Webhooks. */
export type SignedHeaders = { id: string; timestamp: string; signature: string }

/** The headers from flags, and the others from the file of headers. Throws `usage` naming what is missing. */
export async function signedHeaders(io: Io, options: HeaderOptions): Promise<SignedHeaders> {
  const found = options.headers === undefined ? {} : await readHeaders(io, options.headers)
  const headers = {
    id: options.id ?? found['webhook-id'],
    timestamp: options.timestamp ?? found['webhook-timestamp'],
    signature: options.signature ?? found['webhook-signature'],
  }
  const missing = Object.entries(headers).filter(([, value]) => !value)
  if (missing.length === 0) return headers as SignedHeaders
  const names = missing.map(([name]) => `--${name}`).join(', ')
  throw usage(`missing: ${names}.`, 'Give them, or the headers of the request with --headers.')
}

/** Names are in lower case. */
async function readHeaders(io: Io, file: string): Promise<Record<string, string>> {
  const text = (await readInput(io, file)).toString()
  const entries = text.trimStart().startsWith('{') ? jsonEntries(text, file) : lineEntries(text)
  return Object.fromEntries(entries.map(([name, value]) => [name.trim().toLowerCase(), value.trim()]))
}

function jsonEntries(text: string, file: string): Array<[string, string]> {
  try {
    const headers = JSON.parse(text) as Record<string, unknown>
    return Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(' ') : String(value),
    ])
  } catch (error) {
    throw usage(`${file} is not valid JSON: ${(error as Error).message}.`)
  }
}

function lineEntries(text: string): Array<[string, string]> {
  return text.split(/\r?\n/).flatMap((line): Array<[string, string]> => {
    const at = line.indexOf(':')
    return at <= 0 ? [] : [[line.slice(0, at), line.slice(at + 1)]]
  })
}
