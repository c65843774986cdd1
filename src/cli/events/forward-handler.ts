import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type NetworkError, networkErrorOf } from '../../client/network-error.ts'
import type { ProxyServer } from '../../client/proxied.ts'
import type { AnswerHead } from '../../client/undici.ts'
import { sha256 } from '../../domain/computing.ts'
import { askedDelayMs } from '../../domain/webhooks/webhook-schedule.ts'
import { makeSecret, secretBytes, signedHeaders } from '../../domain/webhooks/webhook-signature.ts'
import { runtime, withTimeLimit } from '../../runtime/runtime.ts'
import { makeFolder, ownerOnly, replaceFile } from '../base/durable-file.ts'
import { faultText, ifPossible } from '../base/system-fault.ts'
import type { Session } from '../command.ts'
import { stateFolder } from '../connection/target-settings.ts'
import { type Handler, HandlerFailure } from './on-failure.ts'

/** For the whole exchange, as for a real delivery (decisions 9). */
const timeoutMs = 15_000
/** Maximum bytes read of an answer's body, which is not used. */
const answerBytesMax = 64 * 1024

type Forwarding = {
  url: URL
  secret: string
  now: () => number
  isTrusting?: boolean | undefined
  proxy?: ProxyServer | undefined
}

/** Signed as in Standard Webhooks 1.0; only 2xx succeeds. Any address is allowed: the operator's own machine sends. */
export function forwardHandler(forwarding: Forwarding): Handler {
  const { url, secret, now } = forwarding
  return async ({ event, text }) => {
    const body = text()
    const headers = {
      'content-type': 'application/json',
      'user-agent': `custody/${CUSTODY_VERSION}`,
      ...signedHeaders([secret], event.id, body, now()),
    }
    const { statusCode: status, headers: told } = await post(forwarding, headers, Buffer.from(body))
    if (status >= 200 && status < 300) return
    const isRedirect = status >= 300 && status < 400 && status !== 304
    const why = isRedirect ? `${status}, a redirect, which custody does not follow` : String(status)
    throw new HandlerFailure(`${url.origin} answered ${why}`, {
      askedMs: askedDelayMs(told, now()),
    })
  }
}

/** Opens a new connection: a kept-alive one that the receiver closes at that moment would look like a failure. */
async function post(
  { url: { origin, pathname, search }, isTrusting, proxy: named }: Forwarding,
  headers: Record<string, string>,
  body: Uint8Array,
): Promise<AnswerHead> {
  const { requestOnce } = await import('../../client/undici.ts')
  const proxied = named && (await import('../../client/proxied.ts'))
  const proxy = named && proxied?.throughProxy(named.address, { isTrusting: isTrusting === true })
  const path = pathname + search
  const told = { ...headers, 'content-length': String(body.length) }
  return withTimeLimit(timeoutMs, (signal) => {
    const request = { method: 'POST', path, headers: told, body: [body], signal }
    return requestOnce(origin, request, { bytesMax: answerBytesMax, isTrusting, proxy }).catch(
      (error: Error) => {
        if (signal.aborted) throw new HandlerFailure(`${origin} did not answer within ${timeoutMs / 1000} s`)
        const fault = named && proxied?.proxiedErrorOf(error, origin, named)
        throw faultOf(fault ?? networkErrorOf(error, origin), origin)
      },
    )
  })
}

/** In lower case, as it continues a sentence, unless it begins with the receiver's name. */
function faultOf({ message, fault, advice }: NetworkError, origin: string): HandlerFailure {
  const text = message.startsWith(origin) ? message : message[0]?.toLowerCase() + message.slice(1)
  const step = fault === 'untrusted' ? 'If it is your own, pass --insecure-forward' : advice
  return new HandlerFailure(step ? `${text}. ${step}` : text)
}

/** Each target and address has its own saved secret, so that a receiver is set up only once. If it cannot be saved, it is valid for this run. */
export async function forwardSecret(
  session: Session,
  url: URL,
  isPrinted: boolean | undefined,
): Promise<string> {
  const { identity } = await session.target()
  const own = '(use your own with --secret-file)'
  try {
    const name = sha256(`${identity} ${url.href}`).slice(0, 40)
    const file = join(stateFolder(session.io.env), 'forward-secrets', name)
    const found = ifPossible(() => readFileSync(file, 'utf8').trim()) || undefined
    const secret = found ?? keep(file)
    const isShown = found === undefined || isPrinted
    session.notice(
      `Signing with the secret saved for this address${isShown ? `: ${secret} ${own}` : ' (--print-secret shows it)'}`,
    )
    return secret
  } catch (error) {
    const secret = newSecret()
    session.notice(`Warning: the secret cannot be saved (${faultText(error)}).`)
    session.notice(`Signing with a new secret for this run: ${secret} ${own}`)
    return secret
  }
}

function keep(file: string): string {
  const secret = newSecret()
  makeFolder(dirname(file))
  replaceFile(file, `${secret}\n`, ownerOnly)
  return secret
}

function newSecret(): string {
  return makeSecret(runtime.random(secretBytes))
}
