/** UTF-8 letters or punctuation. As Windows-1252, each would be an accented letter and a symbol within one word. */
const utf8 = /[\xc2-\xc5][\x80-\xbf]|[\xe2-\xef][\x80-\xbf]{2}/

/** Sequences of other encodings that, read as Windows-1252, do not occur in Western words. */
const foreign = [
  // Symbols that lists do not use, and Turkish letters, which would be read as Icelandic.
  /[\u0080-\u009fƒˆ˜‰‹›¤¦¨¬¯¶¸ÞþÐðÝý]/,
  // Greek, Russian, Korean, Chinese: three accented letters in a row, or one next to a symbol.
  /[À-ÖØ-öø-ÿŠšŽžŒœŸ]{3}|[À-ÖØ-öø-ÿŠšŽžŒœŸ][¡-£¥§ª«±-³µ¹º¼-¿÷†‡]|[¢£¥§©ª®-³µ¹º»¼-¾÷†‡][À-ÖØ-öø-ÿŠšŽžŒœŸ]/,
  // DOS and Mac: symbols or opening marks within or after a word, and accented capitals in these places.
  /[\p{L}\p{N}][‚„¡¿]|\p{L}[“‘]|\p{L}[†‡]|\p{L}[¢£¥]|[€£¥©®]\p{Ll}|\p{L}”\p{L}|\p{Ll}ª|ª\p{L}/u,
  /\p{Ll}(?:[ŠŽŒŸ]|[À-ÖØ-Þ](?!\p{L}))|\p{Lu}[ŠŽŒŸ]\p{Ll}|\p{Lu}[à-èê-öø-ÿ]\p{Lu}|\p{Ll}[º±]\p{Ll}/u,
  /[\p{Ll}\p{N}][ÑÒÓÔÕ]|[ÛûŒœ]\p{N}|\p{N}ø/u,
  // Polish and Hungarian; Czech, Croatian, Romanian and Baltic.
  /(?:[^m\d]|^)[³¹]|[³¹]\p{L}|\p{L}[¼-¾]|õ(?!e)|[ñç][b-df-hj-np-tv-xz]/iu,
  /è[aeiouyáéíóú]|[aeiouyáéíóú]æ|[aeiouyáéíóú]ø[aiouáéíóúì]|[ìù]\p{L}|ã(?![oes])\p{L}|[in]ã(?!\p{L})/iu,
]

/** Possibly letters of a Mac or of DOS, as in `Kšln`, `Citt…`, and `Malm”`. */
const doubtful = [
  /[šžœŸ]|[aeiou]–[aeiou]/i,
  /\p{L}[—™•]\p{Ll}|\p{L}[…™€]\p{L}|\p{L}\u00a0\p{Ll}|\p{L}[…•—](?!\p{L})|^[^“]*\p{L}”/u,
  /\p{L}{2}(?<!ll|un|qu)’(?!(?:s|t|d|m|n’|ll|re|ve|em|am)(?!\p{L}))\p{Ll}/u,
]

/** On a Mac, these letters would be capitals within a word, and in DOS other signs. */
const noMac = /[a-z][à-öù-ü]|[à-öù-ü][a-z]/

/** Detects a file that is certainly Windows-1252: a list in a Western language, as Excel writes it. */
export function windows1252Lines() {
  const decoder = new TextDecoder('windows-1252')
  const seen = { foreign: false, doubtful: false, noMac: false }
  return {
    take(line: Buffer): void {
      const text = withoutGermanQuotes(decoder.decode(line))
      seen.foreign ||= utf8.test(line.toString('latin1')) || foreign.some((signs) => signs.test(text))
      seen.doubtful ||= doubtful.some((signs) => signs.test(text))
      seen.noMac ||= noMac.test(text)
    },
    areCertain: () => !seen.foreign && (seen.noMac || !seen.doubtful),
  }
}

/** „So“ and ‚so‘: in other languages the second mark opens a quotation, and within a word the first is a DOS letter. */
function withoutGermanQuotes(text: string): string {
  return text.replace(/„[^„“]*“|‚[^‚‘]*‘/g, (quotation, at: number) =>
    /\p{L}/u.test(text[at - 1] ?? '') ? quotation : ` ${quotation.slice(1, -1)} `,
  )
}
