/** Keys and webhook secrets are recognised by their form (decisions 1, 9). */
const secretForm = /(sk_(?:sandbox|live)_|whsec_)[\w+/=-]+/g

export function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}

export function scrub(text: string): string {
  return text.replace(secretForm, '$1[hidden]')
}

/** The client's own request id if it is valid (decisions 3). A key sent in the wrong header is not. */
export function requestIdOf(sent: unknown, otherwise: () => string): string {
  const isSane = typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) && scrub(sent) === sent
  return isSane ? sent : otherwise()
}
