import { usage } from '../base/cli-error.ts'

/**
 * The root of version 1 without a slash at its end, from what an operator gives; `/v1` is added to a bare host. Throws
 * `usage` naming `where` it was given.
 */
export function baseUrlFrom(text: string, where: string): string {
  const fault = baseUrlFault(text)
  if (fault !== undefined) throw usage(`${where}: "${withoutSecrets(text)}" ${fault}.`, advice)
  const url = new URL(text.trim())
  const path = /^.*[^/]/s.exec(url.pathname)?.[0] ?? ''
  return `${url.origin}${path === '' ? '/v1' : path}`
}

const advice = 'Give it as https://custody.example.com/v1'

/** A password must not come into a log by way of a complaint. */
function withoutSecrets(text: string): string {
  return text.trim().replace(/\/\/[^@/]*@/, '//[hidden]@')
}

/** What is wrong with an address, completing "<address> ..."; undefined where nothing is. */
export function baseUrlFault(text: string): string | undefined {
  const given = text.trim()
  if (!URL.canParse(given)) return 'is not an address'
  const { protocol, username, password, search, hash } = new URL(given)
  if (protocol !== 'https:' && protocol !== 'http:') return 'does not begin with https:// or http://'
  if (username !== '' || password !== '') return 'holds a user name or a password'
  return search !== '' || hash !== '' ? 'holds a query or a fragment' : undefined
}

/** Whether what is sent there can be read on the way. */
export function isReadableOnTheWay(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  const isLoopback =
    hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  return protocol === 'http:' && !isLoopback
}
