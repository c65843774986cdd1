import { baseUrlFault, rootOf, withoutSecrets } from '../../client/base-url.ts'
import { usage } from '../base/cli-error.ts'
import { withoutKeys } from '../base/rejected-secrets.ts'

/** Throws `usage` naming `where` the address was given. */
export function baseUrlFrom(text: string, where: string): string {
  const fault = addressFault(text)
  if (fault !== undefined) throw usage(`${where}: "${withoutKeys(withoutSecrets(text))}" ${fault}.`, advice)
  return rootOf(withScheme(text))
}

export function addressFault(text: string): string | undefined {
  if (/^(?:sk|whsec)_/.test(text.trim())) return 'is a key, not an address'
  return baseUrlFault(withScheme(text))
}

/** Services on this machine use plain http, as in `localhost:8080`. */
function withScheme(text: string): string {
  const isLocal = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?:[:/]|$)/i.test(text.trim())
  return isLocal ? `http://${text.trim()}` : text
}

const advice = 'Give it as https://custody.example.com/v1'

export function warnReadable(baseUrl: string, notice: (text: string) => void): void {
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol === 'http:' && !isLoopback(hostname))
    notice(`Warning: ${baseUrl} is not https: the key is sent unencrypted.`)
}

export function isLoopback(host: string): boolean {
  return /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|::1)$/.test(host)
}
