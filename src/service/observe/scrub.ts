/** Keys and webhook secrets are recognised by their form (decisions 1, 9). */
const secretForm = /(sk_(?:sandbox|live)_|whsec_)[\w+/=-]+/g

/** Milliseconds as they are logged: rounded to a tenth. */
export function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}

/** A text as it may be logged: whatever has the form of a key or secret is hidden. */
export function scrub(text: string): string {
  return text.replace(secretForm, '$1[hidden]')
}

/**
 * The id of a request in its answer and in the log: the client's own, if it sent a sane one (decisions 3). A key in the wrong
 * header is not one.
 */
export function requestIdOf(sent: unknown, otherwise: () => string): string {
  const isSane = typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) && scrub(sent) === sent
  return isSane ? sent : otherwise()
}
