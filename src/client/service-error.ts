import { parsedJson, type Reply } from '../contract/call.ts'

/** A response other than success. `code` is empty if the body is not an Error (2.12), which means another server. */
export class ServiceError extends Error {
  readonly status: number
  readonly code: string
  readonly extra: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  /** Retries have used up the time that the caller allows: do not retry. */
  readonly isWaitedOut: boolean
  /** The service may have carried it out: a proxy or an earlier attempt got no response. */
  readonly isInDoubt: boolean
  /** The next step, if the caller knows more than the code says. */
  advice?: string
  constructor(reply: Reply) {
    const body = parseError(reply.body)
    super(body?.message ?? `The service answered ${reply.status} without an error body.`)
    this.name = 'ServiceError'
    this.status = reply.status
    this.code = body?.code ?? ''
    this.extra = body?.extra ?? {}
    this.headers = reply.headers
    this.isWaitedOut = reply.isWaitedOut === true
    this.isInDoubt = reply.isInDoubt === true
    if (this.isInDoubt && reply.advice !== undefined) this.advice = reply.advice
  }
}

export function isErrorText(text: string): boolean {
  return parseError(text) !== undefined
}

type ErrorShape = { code: string; message: string; extra: Record<string, unknown> }

function parseError(text: string): ErrorShape | undefined {
  const body = parsedJson(text)
  return isError(body) ? body : undefined
}

function isError(body: unknown): body is ErrorShape {
  if (typeof body !== 'object' || body === null) return false
  const { code, message, extra } = body as Record<string, unknown>
  return (
    typeof code === 'string' && typeof message === 'string' && typeof extra === 'object' && extra !== null
  )
}
