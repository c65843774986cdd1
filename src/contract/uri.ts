/** RFC 3986, 3.2 to 3.5: user, host and port, path and query, fragment. */
const webForm =
  /^https?:\/\/(?:(?:[\w.~!$&'()*+,;=:-]|%[0-9a-f]{2})*@)?(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+)(?::\d*)?(?:[/?](?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?$/i

export const webUriWords = 'a URI (RFC 3986) that begins with https:// or http://'

/** Rejects what a browser would repair, such as spaces and line breaks, because the URI is stored as sent. */
export function isWebUri(text: string): boolean {
  return webForm.test(text) && URL.canParse(text)
}

export function httpsUriFault(text: string): string | null {
  if (!/^https:\/\//i.test(text)) return 'must begin with https://'
  if (isWebUri(text)) return null
  const repaired = URL.parse(text)?.href
  if (repaired === undefined || !isWebUri(repaired)) return 'must be a URI (RFC 3986)'
  return `must be a URI (RFC 3986); it would be ${repaired}`
}
