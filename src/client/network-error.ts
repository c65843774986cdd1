import { own } from '../contract/own.ts'
/** `unsendable`: HTTP cannot carry it. `foreign`: another server. Retrying does not help with these two and `untrusted`. */
export type NetworkFault =
  | 'unreachable'
  | 'unknown_host'
  | 'untrusted'
  | 'timeout'
  | 'broken'
  | 'unsendable'
  | 'foreign'

/** Without a response it is unknown whether the service did anything; the same Idempotency-Key makes a retry safe. */
export class NetworkError extends Error {
  readonly fault: NetworkFault
  /** The service may have carried out the request or an earlier attempt. */
  isInDoubt: boolean
  /** The next step, if the caller knows more than the fault says. */
  advice?: string
  constructor(fault: NetworkFault, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'NetworkError'
    this.fault = fault
    this.isInDoubt = fault === 'timeout' || fault === 'broken'
  }
}

export function unclearAnswer(message: string): NetworkError {
  return Object.assign(new NetworkError('foreign', message), { isInDoubt: true })
}

export function networkErrorOf(error: unknown, origin: string): NetworkError {
  if (error instanceof NetworkError) return error
  const code = codeOf(error)
  if (code.startsWith('Z_'))
    return new NetworkError('broken', `${origin} answers with damaged compression (${code})`, error)
  const named = own(faults, code) ?? faultLike(code)
  const fault = named === 'unreachable' && isOfOpenConnection(error) ? 'broken' : named
  const networkError = new NetworkError(fault, `${messages[fault](origin)} (${detailOf(error, code)})`, error)
  // Bytes that begin like an answer may be the service's answer, damaged on the way.
  if (/^HPE$|_OVERFLOW$/.test(code)) networkError.isInDoubt = !/Expected HTTP/.test(String(error))
  return networkError
}

const faults: Readonly<Record<string, NetworkFault>> = {
  ECONNREFUSED: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  // Bun's name for it.
  ConnectionRefused: 'unreachable',
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'unknown_host',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'unreachable',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_INVALID_ARG: 'unsendable',
  // From the proxy, before the request is sent.
  UND_ERR_ABORTED: 'unreachable',
  UND_ERR_PRX_CONN: 'unreachable',
  UND_ERR_PRX_TLS: 'untrusted',
  ERR_INVALID_CHAR: 'unsendable',
  ERR_UNESCAPED_CHARACTERS: 'unsendable',
  UND_ERR_HEADERS_OVERFLOW: 'foreign',
  // TLS spoken to a plain-text port.
  EPROTO: 'foreign',
  ERR_SSL_WRONG_VERSION_NUMBER: 'foreign',
}

const messages: Record<NetworkFault, (origin: string) => string> = {
  unreachable: (origin) => `Nothing answers at ${origin}`,
  unknown_host: (origin) => `The host of ${origin} cannot be found`,
  untrusted: (origin) => `The certificate of ${origin} is not trusted`,
  timeout: (origin) => `${origin} did not answer in time`,
  broken: (origin) => `The connection to ${origin} was lost`,
  unsendable: (origin) => `The request to ${origin} contains characters that HTTP cannot send`,
  foreign: (origin) => `The server at ${origin} does not speak ${new URL(origin).protocol.slice(0, -1)}`,
}

/** A lost network has the same codes as a missing one, but the request may have arrived. */
function isOfOpenConnection(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && /^(?:read|write)/.test(String(error.syscall))
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  if (!(error instanceof Error)) return ''
  // undici's parser sets no code, and gives no data if the end came too early.
  if (error.name === 'HTTPParserError') return 'data' in error && error.data ? 'HPE' : 'HPE_INVALID_EOF'
  return 'code' in error ? String(error.code) : ''
}

/** The code of a system call says more than its message; undici's codes say less. */
function detailOf(error: unknown, code: string): string {
  const isOfHttp = /^(?:HPE|UND_ERR)/.test(code)
  return (!isOfHttp && code) || (error instanceof Error ? error.message : String(error))
}

function faultLike(code: string): NetworkFault {
  if (/CERT|^ERR_TLS|SELF_SIGNED|UNABLE_TO_/.test(code)) return 'untrusted'
  return /^HPE(?!_INVALID_EOF)/.test(code) ? 'foreign' : 'broken'
}
