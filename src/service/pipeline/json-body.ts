import { jsonDepthMax, jsonNamesMax, jsonValuesMax } from '../../contract/limits.ts'
import { invalid } from '../../domain/refusal.ts'
import { isStorable, unstorable } from '../../domain/storable-text.ts'
import { yieldToEventLoop } from '../../engine/yield-to-event-loop.ts'

/** Characters that take a while to look through. */
const longText = 1024 * 1024

/**
 * Parses a JSON body. Throws `invalid` on broken JSON, one too deep or with too much in it, names that reach an object's
 * prototype, and text that no database keeps. Each look at a long text is a turn of its own, of 60 ms at most.
 */
export async function parseJson(text: string): Promise<unknown> {
  const excess = excessOf(text)
  if (excess) throw invalid({ body: [excess] })
  if (text.length > longText) await yieldToEventLoop()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid({ body: ['is not valid JSON'] })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid({ body: ['must be a JSON object'] })
  }
  if (text.length > longText) await yieldToEventLoop()
  // The bytes were read as UTF-8: U+0000 and half a pair can only have come as an escape.
  if (/__proto__|\\u/.test(text)) refuseHidden(value)
  return value
}

/** Counts outside strings, so that what is too much is refused before anything is built. */
function excessOf(text: string): string | undefined {
  const names = new Set<string>()
  let depth = 0
  let values = 1
  let [start, end] = [0, 0]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 34) {
      start = i + 1
      end = endOfString(text, start)
      i = end
    } else if (code === 58) {
      names.add(text.slice(start, end))
      if (names.size > jsonNamesMax) return `must not use more than ${jsonNamesMax} different names`
    } else if (code === 44) {
      values += 1
      if (values > jsonValuesMax) return 'must not hold more than 1,000,000 values'
    } else if (code === 123 || code === 91) {
      depth += 1
      if (depth > jsonDepthMax) return `must not nest more than ${jsonDepthMax} levels`
    } else if (code === 125 || code === 93) depth -= 1
  }
  return undefined
}

/** Where the quote stands that ends a string; most have none but that one. */
function endOfString(text: string, start: number): number {
  const quote = text.indexOf('"', start)
  if (quote >= 0 && text.charCodeAt(quote - 1) !== 92) return quote
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 92) i++
    else if (code === 34) return i
  }
  return text.length
}

function refuseHidden(value: unknown): void {
  if (typeof value === 'string' && !isStorable(value)) throw invalid({ body: [unstorable] })
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__')) throw invalid({ body: ['must not use the name __proto__'] })
  for (const inner of Object.values(value)) refuseHidden(inner)
}
