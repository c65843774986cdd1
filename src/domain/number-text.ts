/** Maximum characters of a number in a file or flag (decisions 12). */
const charactersMax = 40

/** An error completes `"TEXT" ...`. */
type NumberRead = { value: number; fault?: never } | { value?: never; fault: string }

/** Accepts decimal digits with a decimal point, a sign and an exponent; rejects 0x10 and Infinity. */
export function readNumber(text: string): NumberRead {
  if (text.length > charactersMax) return { fault: tooLong }
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return { value: Number(text) }
  return { fault: `is not a number: ${advice(text)}` }
}

export function readWholeNumber(text: string): NumberRead {
  if (text.length > charactersMax) return { fault: tooLong }
  if (/^\d+$/.test(text)) return { value: Number(text) }
  const isGrouped = /^[1-9]\d{0,2}(?:[,'’\s]\d{3})+$/.test(text)
  return {
    fault: isGrouped
      ? `is not a whole number: write ${text.replaceAll(/\D/g, '')}`
      : 'must be a whole number of 1 or more',
  }
}

const tooLong = `is not a number of at most ${charactersMax} characters`

function advice(text: string): string {
  if (/^\d+(?:[.,'’\s]\d+)+$/.test(text)) return 'write it with a decimal point and no separators'
  return 'give the number alone, without a unit'
}
