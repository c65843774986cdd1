/** Letters or marks in UTF-8. As Windows-1252 they would be a capital of A and a mark in one word. */
const utf8 = /[\xc2-\xc5][\x80-\xbf]|[\xe2-\xef][\x80-\xbf]{2}/

/** Shapes of other encodings read as Windows-1252 that occur in no Western word. */
const foreign = [
  // Marks that no list has, and letters of Turkish, which would be Icelandic.
  /[\u0080-\u009fƒˆ˜‰‹›¤¦¨¬¯¶¸ÞþÐðÝý]/,
  // Greek, Russian, Korean, Chinese: letter by letter, or between marks.
  /[À-ÖØ-öø-ÿŠšŽžŒœŸ]{3}|[À-ÖØ-öø-ÿŠšŽžŒœŸ][¡-£¥§ª«±-³µ¹º¼-¿÷†‡]|[¢£¥§©ª®-³µ¹º»¼-¾÷†‡][À-ÖØ-öø-ÿŠšŽžŒœŸ]/,
  // DOS and Mac: opening marks in a word or after it, and capitals there.
  /[\p{L}\p{N}][‚„¡¿]|\p{L}[“‘]|\p{L}[†‡]|\p{L}[¢£¥]\p{L}|[€£¥]\p{Ll}|\p{L}”\p{L}|\p{Ll}ª|ª\p{L}/u,
  /\p{Ll}(?:[ŠŽŒŸ]|[À-ÖØ-Þ](?!\p{L}))|\p{Lu}[ŠŽŒŸ]\p{Ll}/u,
  /[\p{Ll}\p{N}][ÑÒÓÔÕ]|[ÛûŒœ]\p{N}|\p{N}ø/u,
  // Polish and Hungarian; Czech, Croatian and Romanian.
  /(?:[^m\d]|^)[³¹]|[³¹]\p{L}|\p{L}[¼-¾]|õ(?!e)|[ñç][b-df-hj-np-tv-xz]/iu,
  /è[aeiouyáéíóú]|[aeiouyáéíóú]æ|[aeiouyáéíóú]ø[aiouáéíóúì]|ì\p{L}|ã(?![oes])\p{L}/iu,
]

/** Perhaps a Mac's letters: a dash, a mark or an apostrophe in a word, or `š` in `Kšln`. */
const perhapsMac = [
  /[aeiou]–[aeiou]|[b-df-hj-np-tv-xz][šž][b-df-hj-np-tv-xz]/i,
  /\p{L}[—™•]\p{Ll}/u,
  /\p{L}{2}(?<!ll|un|qu)’(?!(?:s|t|d|m|n’|ll|re|ve|em|am)(?!\p{L}))\p{Ll}/u,
]

/** On a Mac, these letters would be capitals within a word. */
const noMac = /[a-z][à-öù-ü]|[à-öù-ü][a-z]/

/** Detects for sure that a file is Windows-1252: a list of a Western language, as Excel writes it. */
export function windows1252Lines() {
  const decoder = new TextDecoder('windows-1252')
  const seen = { foreign: false, perhapsMac: false, noMac: false }
  return {
    take(line: Buffer): void {
      const text = withoutGermanQuotes(decoder.decode(line))
      seen.foreign ||= utf8.test(line.toString('latin1')) || foreign.some((signs) => signs.test(text))
      seen.perhapsMac ||= perhapsMac.some((signs) => signs.test(text))
      seen.noMac ||= noMac.test(text)
    },
    areCertain: () => !seen.foreign && (seen.noMac || !seen.perhapsMac),
  }
}

/** „So“ and ‚so‘: elsewhere the second mark opens, and in a word the first is a letter of DOS. */
function withoutGermanQuotes(text: string): string {
  return text.replace(/„[^„“]*“|‚[^‚‘]*‘/g, (quotation, at: number) =>
    /\p{L}/u.test(text[at - 1] ?? '') ? quotation : ` ${quotation.slice(1, -1)} `,
  )
}
