import fc from 'fast-check'

const surrogates = 0xe000 - 0xd800

/** fast-check's own 'binary' lists a million characters in each process, which takes a second and 150 MB. */
const character = fc.integer({ min: 0, max: 0x10ffff - surrogates }).map(
  (place) => String.fromCodePoint(place < 0xd800 ? place : place + surrogates),
  (text) => placeOf(String(text)),
)

/** Throws for anything but one character, as an arbitrary must. */
function placeOf(text: string): number {
  const [first, ...rest] = text
  const code = first?.codePointAt(0)
  if (code === undefined || rest.length > 0) throw new Error('not one character')
  return code < 0xd800 ? code : code - surrogates
}

/** Any well-formed text, in any script, with control characters; sometimes a name that every object has. */
export const anyText = (lengths: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.string({ unit: character, ...lengths })
