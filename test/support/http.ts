import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { createHttpServer, type HttpOptions, type HttpServer } from '../../src/service/http/http.ts'
import type { Harness } from './harness.ts'

/** A service listening on a free port of this machine. */
export type HttpHarness = {
  origin: string
  port: number
  server: HttpServer['server']
  /** A request with only the given headers: no key, Idempotency-Key, or content type is added. */
  send(request: SentRequest): Promise<Response>
  /** Sends raw bytes; returns everything received until the service ended the connection. */
  raw(bytes: string | Buffer): Promise<string>
  close(): Promise<void>
}

export type SentRequest = {
  method?: string
  path: string
  /** Names and values in turn, so that a header can be sent twice. */
  headers?: readonly string[]
  body?: string | Buffer
}

export type Response = { status: number; headers: IncomingHttpHeaders; text: string; bytes: Buffer }

/** Serves a harness's service over HTTP. */
export async function startHttp(
  { service, db }: Harness,
  options: Partial<HttpOptions> = {},
): Promise<HttpHarness> {
  const server = await createHttpServer({ service, db, ...options })
  const origin = await server.listen('127.0.0.1', 0)
  const port = Number(new URL(origin).port)
  return {
    origin,
    server: server.server,
    port,
    send: (request) => send(port, request),
    raw: (bytes) => sendRaw(port, bytes),
    close: () => server.close(),
  }
}

function send(port: number, sent: SentRequest): Promise<Response> {
  const { method = 'GET', path, headers = [], body } = sent
  return new Promise((resolve, reject) => {
    const all = ['host', `127.0.0.1:${port}`, ...headers]
    if (body !== undefined) all.push('content-length', String(Buffer.byteLength(body)))
    const request = httpRequest({ port, host: '127.0.0.1', method, path, headers: all, agent: false })
    request.on('error', reject)
    request.on('response', async (response) => {
      const bytes = Buffer.concat(await response.toArray())
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: bytes.toString(), bytes })
    })
    request.end(body)
  })
}

function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => (text += chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
  })
}
