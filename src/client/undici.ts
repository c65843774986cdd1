import { Client, type Dispatcher } from 'undici'
import { textOf } from './foreign-answer.ts'

type Request = Omit<Dispatcher.RequestOptions, 'body' | 'signal'> & {
  body: Iterable<Uint8Array> | null
  signal?: AbortSignal
}
export type AnswerHead = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>
type Answer = AnswerHead & { text: string }
/** `bytesMax`: the maximum size of a response with this status. */
export type Connections = (request: Request, bytesMax: (status: number) => number) => Promise<Answer>

let isParserCompiled = false

/**
 * Sends the first request, for which undici compiles its parser. V8 would spend 95 ms of CPU on optimising the parser during the
 * first responses, which pays off after some hundred of them, so a flag delays it. The flag is restored afterwards, because V8
 * accepts cached code only under the flags that it was compiled with.
 */
async function compilingParser<T>(request: () => Promise<T>): Promise<T> {
  if (isParserCompiled) return request()
  isParserCompiled = true
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  setFlagsFromString(`--wasm-tiering-budget=${100 * tieringBudget}`)
  try {
    return await request()
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${tieringBudget}`)
  }
}

/** V8's default, in bytes of executed code. */
const tieringBudget = 13_000_000

/** One connection per concurrent request. undici's `Pool` opens a second one just after a response was read. */
export function openConnections(origin: string, idleMs: number, proxy?: Dispatcher): Connections {
  const idle: Dispatcher[] = []
  return async (request, bytesMax) => {
    const client =
      proxy ??
      idle.pop() ??
      new Client(origin, { allowH2: false, headersTimeout: idleMs, bodyTimeout: idleMs })
    try {
      const { statusCode, headers, body } = await compilingParser(() => send(client, origin, request))
      return { statusCode, headers, text: await textOf(body, bytesMax(statusCode), origin) }
    } finally {
      if (!proxy) idle.push(client)
    }
  }
}

/** undici accepts a body in pieces, but its types do not say so. */
function send(client: Dispatcher, origin: string, request: Request): Promise<Dispatcher.ResponseData> {
  return client.request({ ...request, origin } as Dispatcher.RequestOptions)
}

type OnceOptions = { bytesMax: number; isTrusting?: boolean | undefined; proxy?: Dispatcher | undefined }

/** Sends one request over its own connection and returns the response's head. Discards the body, up to `bytesMax`. */
export async function requestOnce(
  origin: string,
  request: Request,
  { bytesMax, isTrusting = false, proxy }: OnceOptions,
): Promise<AnswerHead> {
  const connect = isTrusting && { connect: { rejectUnauthorized: false } }
  const client = proxy ?? new Client(origin, { allowH2: false, ...connect })
  try {
    const { statusCode, headers, body } = await send(client, origin, request)
    await body.dump({ limit: bytesMax, ...(request.signal && { signal: request.signal }) }).catch(() => {})
    return { statusCode, headers }
  } finally {
    void client.destroy()
  }
}
