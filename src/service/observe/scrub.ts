/** Keys and webhook secrets have a form of their own (decisions 1, 9). */
const secretForm = /(sk_(?:sandbox|live)_|whsec_)[\w+/=-]+/g

/** A text as it may stand in a log: what has the form of a key or secret is hidden. */
export function scrub(text: string): string {
  return text.replace(secretForm, '$1[hidden]')
}

/**
 * What a request is called in its answer and in the log: the client's own name for it, where it sent a sane one
 * (decisions 3). A key that was put into the wrong header is none.
 */
export function requestIdOf(sent: unknown, otherwise: () => string): string {
  const isSane = typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) && scrub(sent) === sent
  return isSane ? sent : otherwise()
}
