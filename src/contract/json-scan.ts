import { parsedJson } from './call.ts'
import { faultsMax, jsonDepthMax, jsonNamesMax, jsonValuesMax } from './limits.ts'

type JsonLimits = { depth: number; names: number; values: number }
export const jsonLimits: JsonLimits = { depth: jsonDepthMax, names: jsonNamesMax, values: jsonValuesMax }
export type JsonScan = { excess?: string; repeated: Array<readonly PropertyKey[]> }

/** Characters scanned between two yields: some milliseconds. */
const atOnce = 1024 * 1024

/** Runs before parsing: a huge value would take seconds to build, and the parser keeps only the last of repeated names. */
export function* scanJson(text: string, limits: JsonLimits): Generator<void, JsonScan> {
  const names = numberedNames()
  const places = openPlaces(limits)
  const repeated: JsonScan['repeated'] = []
  const tooMuch = (excess: string): JsonScan => ({ excess: `must not ${excess}`, repeated })
  let [values, start, end, turn] = [1, 0, 0, atOnce]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 34) {
      start = i + 1
      end = endOfString(text, start)
      i = end
    } else if (code === 58) {
      const name = names.numberOf(text.slice(start, end))
      if (name >= limits.names) return tooMuch(`use more than ${limits.names} different names`)
      if (places.enterField(name) && repeated.length < faultsMax) repeated.push(places.path(names.all))
    } else if (code === 44) {
      values += 1
      if (values > limits.values)
        return tooMuch(`hold more than ${limits.values.toLocaleString('en')} values`)
      places.nextEntry()
    } else if (code === 123 || code === 91) {
      if (places.open(code === 91) > limits.depth) return tooMuch(`nest more than ${limits.depth} levels`)
    } else if (code === 125 || code === 93) places.close()
    if (i < turn) continue
    turn = i + atOnce
    yield
  }
  return { repeated }
}

export function scannedJson(text: string, limits: JsonLimits): JsonScan {
  const scan = scanJson(text, limits)
  let step = scan.next()
  while (!step.done) step = scan.next()
  return step.value
}

export function pathText(path: readonly PropertyKey[]): string {
  let text = ''
  for (const part of path)
    text += typeof part === 'number' ? `[${part}]` : text ? `.${String(part)}` : String(part)
  return text
}

function numberedNames(): { all: readonly string[]; numberOf(raw: string): number } {
  const all: string[] = []
  const numbers = new Map<string, number>()
  return {
    all,
    numberOf(raw) {
      const known = numbers.get(raw)
      if (known !== undefined) return known
      const name = raw.includes('\\') ? unescaped(raw) : raw
      const number = numbers.get(name) ?? all.push(name) - 1
      numbers.set(raw, number)
      numbers.set(name, number)
      return number
    },
  }
}

/** Records for each depth and name the last object that had it, which is cheaper than a set of names per object. */
function openPlaces({ depth: deepest, names }: JsonLimits) {
  const isList = new Uint8Array(deepest + 2)
  /** For a list its index, for an object the number of the name. */
  const at = new Int32Array(deepest + 2)
  const object = new Int32Array(deepest + 2)
  const lastObject: Int32Array[] = []
  let [depth, objects] = [0, 0]
  return {
    open(list: boolean): number {
      depth += 1
      objects += 1
      isList[depth] = list ? 1 : 0
      at[depth] = 0
      object[depth] = objects
      return depth
    },
    close(): void {
      if (depth > 0) depth -= 1
    },
    nextEntry(): void {
      if (isList[depth]) at[depth]! += 1
    },
    enterField(name: number): boolean {
      const seen = lastObject[depth] ?? new Int32Array(names)
      lastObject[depth] = seen
      const isAgain = seen[name] === object[depth] && depth > 0
      seen[name] = object[depth]!
      at[depth] = name
      return isAgain
    },
    path(known: readonly string[]): PropertyKey[] {
      return Array.from({ length: depth }, (_, level) => {
        const place = at[level + 1]!
        return isList[level + 1] ? place : (known[place] ?? '')
      })
    },
  }
}

function unescaped(raw: string): string {
  return String(parsedJson(`"${raw}"`) ?? raw)
}

export function endOfString(text: string, start: number): number {
  const quote = text.indexOf('"', start)
  if (quote >= 0 && text.charCodeAt(quote - 1) !== 92) return quote
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 92) i++
    else if (code === 34) return i
  }
  return text.length
}
