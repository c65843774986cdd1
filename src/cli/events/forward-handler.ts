import type { IncomingMessage } from 'node:http'
import { networkErrorOf } from '../../client/network-error.ts'
import { retryAfterMs } from '../../domain/webhooks/webhook-schedule.ts'
import { signedHeaders } from '../../domain/webhooks/webhook-signature.ts'
import { type Handler, HandlerFailure } from './handler.ts'

/** The whole exchange, in milliseconds: as long as a real delivery may take (decisions 9). */
const timeoutMs = 15_000
/** Bytes of an answer's body that are read; nothing in it is used. */
const answerBytesMax = 64 * 1024

type Forwarding = {
  url: URL
  secret: string
  now: () => number
  /** Of the whole exchange; `timeoutMs` where it is left out. */
  withinMs?: number
}

/**
 * Posts each event's bytes, signed as a real webhook is (Standard Webhooks 1.0). Only 2xx is a success; a redirect is an
 * answer like any other. Any address will do: it is the operator's own machine that sends.
 */
export function forwardHandler({ url, secret, now, withinMs = timeoutMs }: Forwarding): Handler {
  return async ({ event, text }) => {
    const body = text()
    const headers = {
      'content-type': 'application/json',
      'user-agent': `custody/${CUSTODY_VERSION}`,
      ...signedHeaders([secret], event.id, body, now()),
    }
    const { status, retryAfter } = await post(url, headers, Buffer.from(body), withinMs)
    if (status >= 200 && status < 300) return
    const isRedirect = status >= 300 && status < 400 && status !== 304
    const why = isRedirect ? `${status}, a redirect, which is not followed` : String(status)
    throw new HandlerFailure(`${url.origin} answered ${why}`, { askedMs: retryAfterMs(retryAfter, now()) })
  }
}

type Answer = { status: number; retryAfter: string | undefined }

/** Over a connection of its own: a kept one that the receiver closes at this moment would look like a failure. */
function post(url: URL, headers: Record<string, string>, body: Buffer, withinMs: number): Promise<Answer> {
  const { request } = httpOf(url.protocol)
  return new Promise((resolve, reject) => {
    let answer: Answer | undefined
    const posting = request(url, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-length': body.length },
    })
    const finish = (fault?: HandlerFailure): void => {
      clearTimeout(timer)
      // The head of the answer decides, also where its body does not end.
      if (answer !== undefined) resolve(answer)
      else reject(fault ?? new HandlerFailure(`${url.origin} closed the connection without an answer`))
      posting.destroy()
    }
    const timer = setTimeout(
      () => finish(new HandlerFailure(`${url.origin} did not answer within ${withinMs / 1000} s`)),
      withinMs,
    )
    posting.on('error', (error) => finish(faultOf(error, url.origin)))
    posting.once('close', () => finish())
    posting.once('response', (response) => {
      answer = { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] }
      readAtMost(response, answerBytesMax, finish)
    })
    posting.end(body)
  })
}

function httpOf(protocol: string): Pick<typeof import('node:http'), 'request'> {
  return process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http')
}

/** Reads and forgets, until the end, the limit or a fault. */
function readAtMost(response: IncomingMessage, bytes: number, done: () => void): void {
  let read = 0
  response.on('data', (chunk: Buffer) => {
    read += chunk.length
    if (read >= bytes) done()
  })
  response.once('close', () => done())
  response.on('error', () => {})
}

/** The middle of a sentence: it begins small, unless with the receiver's name. */
function faultOf(error: Error, origin: string): HandlerFailure {
  const { message } = networkErrorOf(error, origin)
  return new HandlerFailure(
    message.startsWith(origin) ? message : message[0]?.toLowerCase() + message.slice(1),
  )
}
