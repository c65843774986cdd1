import { jsonDepthMax } from '../contract/limits.ts'
import { invalid } from '../domain/refusal.ts'
import { isStorable, unstorable } from '../domain/storable-text.ts'

/**
 * Parses a JSON body. Throws `invalid` on broken JSON, one too deep, names that reach an object's prototype, and text that
 * no database keeps.
 */
export function parseJson(text: string): unknown {
  if (deeperThan(text, jsonDepthMax))
    throw invalid({ body: [`must not nest more than ${jsonDepthMax} levels`] })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid({ body: ['is not valid JSON'] })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid({ body: ['must be a JSON object'] })
  }
  // The bytes were read as UTF-8: U+0000 and half a pair can only have come as an escape.
  if (/__proto__|\\u/.test(text)) refuseHidden(value)
  return value
}

/** Counts brackets outside strings, so that depth is refused before anything is built. */
function deeperThan(text: string, most: number): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (inString) {
      if (code === 92) i++
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 123 || code === 91) {
      depth += 1
      if (depth > most) return true
    } else if (code === 125 || code === 93) depth -= 1
  }
  return false
}

function refuseHidden(value: unknown): void {
  if (typeof value === 'string' && !isStorable(value)) throw invalid({ body: [unstorable] })
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__')) throw invalid({ body: ['must not use the name __proto__'] })
  for (const inner of Object.values(value)) refuseHidden(inner)
}
