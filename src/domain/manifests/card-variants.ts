import { once } from '../../contract/once.ts'

const variants = once(() => ({
  '1st':
    /(?<![\p{L}\p{N}])(?:(?<![#./-])1ed?(?![/-])|[eé]dition 1(?! ?(?:\/|of\b))|(?:1(?:st|\.|a|e|[eè]re)|first|erste|premi[eè]re|prima|primera)[ .-]{0,2}(?:[eé]dition|edizione|edici[oó]n|auflage|edn?))(?![\p{L}\p{N}])/giu,
  shadowless: /\bshadowless\b/giu,
  reverse: /\b(?:rev(?:erse)?[ .-]{0,2}(?:holo|holofoil|foil)|reverse|(?<![#-])rh)\b/giu,
  xfractor: /\bx-?fractors?\b/giu,
  superfractor: /\bsuper-?fractors?\b/giu,
  refractor: /\b(?:refractors?|refr?s?)\b/giu,
  autograph: /\b(?:autograph(?:s|ed)?|autos?|sign(?:s|ed|atures?|ings?)?|rpa)\b/giu,
  error: /\b(?:errors?|misprint(?:ed)?)\b/giu,
}))

/** What makes another card of a name, one word for each, however it is spelt. `rest`: the text without them. Expects NFKC. */
export function readVariants(text: string): { named: string[]; rest: string } {
  const named: string[] = []
  let rest = text.replaceAll('_', ' ')
  for (const [name, pattern] of Object.entries(variants())) {
    const others = rest.replace(pattern, ' ')
    if (others !== rest) named.push(name)
    rest = others
  }
  // A first edition has no shadow either.
  return { named: named.includes('1st') ? named.filter((name) => name !== 'shadowless') : named, rest }
}

export const colours = new Set(
  'silver gold bronze red blue green orange purple pink black white yellow teal aqua'.split(' '),
)
