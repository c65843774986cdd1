/** Why no answer came. `unsendable`: the request itself cannot be put into HTTP; trying again changes nothing. */
export type NetworkFault = 'unreachable' | 'unknown_host' | 'untrusted' | 'timeout' | 'broken' | 'unsendable'

/** No answer came, so it is not known whether the service did anything; the same Idempotency-Key makes a retry safe. */
export class NetworkError extends Error {
  readonly fault: NetworkFault
  constructor(fault: NetworkFault, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'NetworkError'
    this.fault = fault
  }
}

/** What a thrown socket, TLS or HTTP error means for whoever called `origin`. */
export function networkErrorOf(error: unknown, origin: string): NetworkError {
  if (error instanceof NetworkError) return error
  const code = codeOf(error)
  const fault = faults[code] ?? (isCertificateFault(code) ? 'untrusted' : 'broken')
  return new NetworkError(fault, `${messages[fault](origin)} (${code || String(error)})`, error)
}

const faults: Readonly<Record<string, NetworkFault>> = {
  ECONNREFUSED: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'unknown_host',
  ETIMEDOUT: 'timeout',
  ERR_INVALID_CHAR: 'unsendable',
  ERR_UNESCAPED_CHARACTERS: 'unsendable',
}

const messages: Record<NetworkFault, (origin: string) => string> = {
  unreachable: (origin) => `Nothing answers at ${origin}`,
  unknown_host: (origin) => `The host of ${origin} is not known`,
  untrusted: (origin) => `The certificate of ${origin} cannot be trusted`,
  timeout: (origin) => `${origin} did not answer in time`,
  broken: (origin) => `The connection to ${origin} broke`,
  unsendable: (origin) => `The request to ${origin} holds characters that HTTP cannot carry`,
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function isCertificateFault(code: string): boolean {
  return /CERT|^ERR_TLS|SELF_SIGNED|UNABLE_TO_/.test(code)
}
