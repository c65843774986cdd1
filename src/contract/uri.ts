/** RFC 3986, 3.2 and 3.3. */
const user = /^(?:[\w.~!$&'()*+,;=:-]|%[0-9a-f]{2})*$/i
const hostAndPort = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+)(?::\d*)?$/i
const rest = /^(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*$/i

function hasWebForm(text: string): boolean {
  const scheme = /^https?:\/\//i.exec(text)?.[0]
  if (scheme === undefined) return false
  const [hierarchy = '', ...fragments] = text.slice(scheme.length).split('#')
  const end = hierarchy.search(/[/?]/)
  const authority = end < 0 ? hierarchy : hierarchy.slice(0, end)
  const [host = '', ...users] = authority.split('@').reverse()
  const rests = [hierarchy.slice(authority.length), ...fragments]
  return (
    fragments.length < 2 &&
    users.length < 2 &&
    hostAndPort.test(host) &&
    users.every((part) => user.test(part)) &&
    rests.every((part) => rest.test(part))
  )
}

export const webUriWords = 'a URI (RFC 3986) that begins with https:// or http://'

/** Rejects what a browser would repair, such as spaces and line breaks, because the URI is stored as sent. */
export function isWebUri(text: string): boolean {
  return hasWebForm(text) && URL.canParse(text)
}

export function httpsUriFault(text: string): string | null {
  if (!/^https:\/\//i.test(text)) return 'must begin with https://'
  if (isWebUri(text)) return null
  const repaired = URL.parse(text)?.href
  if (repaired === undefined || !isWebUri(repaired)) return 'must be a URI (RFC 3986)'
  return `must be a URI (RFC 3986); it would be ${repaired}`
}
