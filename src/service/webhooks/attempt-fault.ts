import { own } from '../../contract/own.ts'
/** Why an attempt got no answer, as the partner may read it: no address, no detail of this machine or its network. */
export class AttemptFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'AttemptFault'
  }
}

const messages: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before an answer came.',
  EPIPE: 'The connection was closed before an answer came.',
  ETIMEDOUT: 'The connection could not be made in time.',
  EHOSTUNREACH: 'The receiver cannot be reached.',
  ENETUNREACH: 'The receiver cannot be reached.',
}

/** The fault that a network error stands for. */
export function faultOf(error: unknown): AttemptFault {
  if (error instanceof AttemptFault) return error
  const code = codeOf(error)
  const message = own(messages, code)
  if (message !== undefined) return new AttemptFault(message)
  if (/CERT|SIGNATURE|ERR_TLS/.test(code)) {
    return new AttemptFault(`The receiver's certificate was not accepted (${code}).`)
  }
  if (code.startsWith('ERR_SSL') || code === 'EPROTO')
    return new AttemptFault('The receiver does not speak TLS as expected.')
  if (code.startsWith('HPE_')) return new AttemptFault('The receiver’s answer is not HTTP.')
  return new AttemptFault('The connection failed.')
}

/** Of several failed addresses, the first one's. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
