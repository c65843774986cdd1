/** Without a trailing slash; adds `/v1` to a bare host. */
export function rootOf(address: string): string {
  const url = new URL(address.trim())
  const path = /^.*[^/]/s.exec(url.pathname)?.[0] ?? ''
  return `${url.origin}${path === '' ? '/v1' : path}`
}

export function baseUrlFault(text: string): string | undefined {
  const given = text.trim()
  if (!URL.canParse(given)) return 'is not an address'
  const { protocol, username, password, search, hash } = new URL(given)
  if (protocol !== 'https:' && protocol !== 'http:') return 'does not begin with https:// or http://'
  if (username !== '' || password !== '') return 'contains a user name or a password'
  return search !== '' || hash !== '' ? 'contains a query or a fragment' : undefined
}

/** An error message must not carry a password into a log. */
export function withoutSecrets(address: string): string {
  return address.trim().replace(/^(\w*:\/\/)?.*@/s, '$1[hidden]@')
}
