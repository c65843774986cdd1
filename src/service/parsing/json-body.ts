import { parsedJson } from '../../contract/call.ts'
import { type JsonScan, pathText, scanJson } from '../../contract/json-scan.ts'
import { jsonDepthMax, jsonNamesMax, jsonValuesMax } from '../../contract/limits.ts'
import { invalid } from '../../domain/refusal.ts'
import { isStorable, unstorable } from '../../domain/storable-text.ts'
import { yieldToEventLoop } from '../../engine/yield-to-event-loop.ts'
import { addFault, type Faults, givenTwice, takeOut } from './faults.ts'

/** From so many characters on, scanning takes a while. */
const longText = 1024 * 1024
/** The bytes were read as UTF-8: U+0000 and half a pair can only have come as an escape. */
const hidden = /__proto__|\\u/

/**
 * Parses a JSON body. Throws `invalid` on broken JSON, and on one too deep or with too much in it. Adds as faults, each by its
 * path: a name twice in one object, names that reach an object's prototype, and text that no database keeps. Others
 * are let in between the looks at a long text.
 */
export async function parseJson(text: string, faults: Faults): Promise<unknown> {
  const { excess, repeated } = await scanInTurns(text)
  if (excess) throw invalid({ body: [excess] })
  if (text.length > longText) await yieldToEventLoop()
  const value = parsedJson(text)
  if (value === undefined) throw invalid({ body: ['is not valid JSON'] })
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid({ body: ['must be a JSON object'] })
  }
  if (text.length > longText) await yieldToEventLoop()
  for (const path of repeated) addFault(faults, pathText(path), givenTwice)
  if (hidden.test(text)) addHidden(faults, value, value, [])
  return value
}

async function scanInTurns(text: string): Promise<JsonScan> {
  const scan = scanJson(text, { depth: jsonDepthMax, names: jsonNamesMax, values: jsonValuesMax })
  for (;;) {
    const { done, value } = scan.next()
    if (done) return value
    await yieldToEventLoop()
  }
}

function addHidden(faults: Faults, root: object, value: unknown, path: readonly PropertyKey[]): void {
  if (faults.left === 0) return
  if (typeof value === 'string' && !isStorable(value)) {
    addFault(faults, pathText(path), unstorable)
    takeOut(root, path)
  }
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__')) throw invalid({ body: ['must not use the name __proto__'] })
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value)
  for (const [name, inner] of entries) addHidden(faults, root, inner, [...path, name])
}
