import { Client, type Dispatcher } from 'undici'
import { tooLong } from './foreign-answer.ts'

type Request = Omit<Dispatcher.RequestOptions, 'body' | 'signal'> & {
  body: Iterable<Uint8Array> | null
  signal?: AbortSignal
}
type Body = Dispatcher.ResponseData['body']
export type AnswerHead = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>
type Answer = AnswerHead & { text: string }
/** `bytesMax`: of an answer with this status. */
export type Connections = (request: Request, bytesMax: (status: number) => number) => Promise<Answer>

let isParserCompiled = false

/**
 * The first request, with which undici compiles its parser. V8 would optimise the parser during the first answers, for 95 ms
 * of CPU that pay off only after some hundred answers, so it is told to wait until then. Its flags are restored afterwards,
 * because V8 accepts cached code only under the flags it was made with.
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

/**
 * The connections to a service, as many as it has requests at a time. (undici's `Pool` takes a connection whose answer has
 * just been read for a busy one, and opens a second.)
 */
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

/** undici takes a body in pieces, but its types do not say so. */
function send(client: Dispatcher, origin: string, request: Request): Promise<Dispatcher.ResponseData> {
  return client.request({ ...request, origin } as Dispatcher.RequestOptions)
}

/** Throws `NetworkError` instead of holding an answer that does not end. */
async function textOf(body: Body, most: number, origin: string): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length
    // Leaving the loop closes the connection.
    if (bytes > most) throw tooLong(origin, most)
    pieces.push(piece)
  }
  return new TextDecoder().decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, bytes))
}

/** `isTrusting`: any certificate will do. */
type OnceOptions = { bytesMax: number; isTrusting?: boolean | undefined; proxy?: Dispatcher | undefined }

/**
 * One request over a connection of its own. Its head is the answer, also where its body does not end: of that no more than
 * `bytesMax` is read, and nothing kept.
 */
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
