const encoded = '%[0-9a-f]{2}'
/** The characters of a path's segment, and of query and fragment beside `?` and `/` (RFC 3986, 3.3). */
const segment = `(?:[\\w.~!$&'()*+,;=:@-]|${encoded})`
const userInfo = `(?:[\\w.~!$&'()*+,;=:-]|${encoded})`
const name = `(?:[\\w.~!$&'()*+,;=-]|${encoded})`

/** An http or https URI with a host, as RFC 3986 has it. What stands in brackets, and how great a port is, is judged by the parser. */
const webForm = new RegExp(
  `^https?://(?:${userInfo}*@)?(?:\\[[\\da-f:.]+\\]|${name}+)(?::\\d*)?(?:/${segment}*)*(?:\\?(?:${segment}|[/?])*)?(?:#(?:${segment}|[/?])*)?$`,
  'i',
)

/** What `isWebUri` wants, to complete "must be ..." and "is not ...". */
export const webUriWords = 'a URI (RFC 3986) that begins with https:// or http://'

/**
 * Whether a text is an absolute http or https URI just as it stands: what a browser would first repair, spaces, line breaks and
 * other letters, is none, since what is kept is what was sent.
 */
export function isWebUri(text: string): boolean {
  return webForm.test(text) && URL.canParse(text)
}

/** What is wrong with the form of an https URI; null where nothing is. What a browser would repair is named in its repaired form. */
export function httpsUriFault(text: string): string | null {
  if (!/^https:\/\//i.test(text)) return 'must begin with https://'
  if (isWebUri(text)) return null
  const repaired = URL.parse(text)?.href
  if (repaired === undefined || !isWebUri(repaired)) return 'must be a URI (RFC 3986)'
  return `must be a URI (RFC 3986); it would be ${repaired}`
}
