import { Agent, request } from 'node:http'

export type Asked = {
  origin: string
  key: string
  /** Relative to the root of version 1. */
  path: string
  headers?: Record<string, string>
  body?: unknown
  form?: { text: string; type: string }
  idempotencyKey?: string
  /** On a connection of its own, from an address that nobody else uses. */
  isNew?: boolean
  /** The answer is never read. */
  isUnread?: boolean
  onText?: (text: string) => void
  onStatus?: (status: number) => void
}

const agent = new Agent({ keepAlive: true, maxSockets: 1000 })
const ownAddress = { agent: false, localAddress: '127.0.0.2' } as const
const unreadMs = 20_000
let keys = 0

/** Sends one request and accepts any answer; waits after a 429 or 503. */
export function ask(asked: Asked): Promise<void> {
  const { path, headers = {}, body, form, isUnread, onText, onStatus } = asked
  keys += 1
  const sent = form?.text ?? (body === undefined ? undefined : JSON.stringify(body))
  const type = form?.type ?? 'application/json'
  const post = sent !== undefined && {
    'content-type': type,
    'content-length': String(Buffer.byteLength(sent)),
    'idempotency-key': asked.idempotencyKey ?? `${process.pid}-${keys}`,
  }
  return new Promise((resolve) => {
    const options = {
      ...(asked.isNew ? ownAddress : { agent }),
      method: sent === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': asked.key, ...headers, ...post },
    }
    const made = request(`${asked.origin}/v1${path}`, options, (response) => {
      onStatus?.(response.statusCode ?? 0)
      const isPutOff = response.statusCode === 429 || response.statusCode === 503
      if (isUnread && !isPutOff) return void setTimeout(() => resolve(void made.destroy()), unreadMs)
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => onText && pieces.push(piece))
      response.on('close', () => {
        onText?.(Buffer.concat(pieces).toString())
        setTimeout(resolve, isPutOff ? 1000 : 0)
      })
    })
    made.on('error', () => resolve())
    made.end(sent)
  })
}
