/** The characters of a user, of a host with its port, and of path, query and fragment (RFC 3986, 3.2 and 3.3). */
const user = /^(?:[\w.~!$&'()*+,;=:-]|%[0-9a-f]{2})*$/i
const hostAndPort = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+)(?::\d*)?$/i
const rest = /^(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*$/i

/** An http or https URI with a host. What stands in brackets, and how great a port is, is judged by the parser. */
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

/** What `isWebUri` wants, to complete "must be ..." and "is not ...". */
export const webUriWords = 'a URI (RFC 3986) that begins with https:// or http://'

/**
 * Whether a text is an absolute http or https URI just as it stands: what a browser would first repair, spaces, line breaks and
 * other letters, is none, since what is kept is what was sent.
 */
export function isWebUri(text: string): boolean {
  return hasWebForm(text) && URL.canParse(text)
}

/** What is wrong with the form of an https URI; null where nothing is. What a browser would repair is named in its repaired form. */
export function httpsUriFault(text: string): string | null {
  if (!/^https:\/\//i.test(text)) return 'must begin with https://'
  if (isWebUri(text)) return null
  const repaired = URL.parse(text)?.href
  if (repaired === undefined || !isWebUri(repaired)) return 'must be a URI (RFC 3986)'
  return `must be a URI (RFC 3986); it would be ${repaired}`
}
