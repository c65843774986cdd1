// What takes the place of modules: those that the program never or seldom needs, and those whose text is the same every time.
import { openApiText } from '../src/contract/document/openapi.ts'
import { operations } from '../src/contract/operations.ts'

/** No command spends 50 ms on the OpenAPI document. */
export const document = inPlace(
  '/src/contract/document/openapi.ts',
  `const text = ${JSON.stringify(openApiText())}
export function openApiText() { return text }
export function openApiDocument() { return JSON.parse(text) }`,
)

/** A client that checks nothing itself needs no functions that make schemas. */
const ofTheWire = [...Object.keys(operations), 'method', 'path', 'success', 'paged']
export const table = inPlace(
  '/src/contract/operations/table.ts',
  `export const operations = ${JSON.stringify(operations, ofTheWire)}`,
)

const displayWidth = new URL('../src/cli/output/shorten.ts', import.meta.url).pathname

/** Node.js's own modules, and one of a library's, by the place of who imports them. */
const builtins = {
  // Its own is of 2020: it counts newer emoji and combining marks otherwise than what cuts the cells, and is slow.
  '/cli-table3/': { 'string-width': `export { displayWidth as 'module.exports' } from '${displayWidth}'` },
  // For subcommands that are programs of their own.
  '/commander/lib/': { 'node:child_process': 'export default {}' },
  // Not loaded at every start, but when a function of theirs is first asked for: node:crypto takes 5 ms with its streams.
  '/src/': { 'node:crypto': late('node:crypto'), 'node:timers/promises': late('node:timers/promises') },
}

export const unneeded = {
  name: 'unneeded',
  resolveId(id, importer = '') {
    const place = Object.keys(builtins).find((place) => id in builtins[place] && importer.includes(place))
    return place && `\0unneeded:${place}:${id}`
  },
  load(id) {
    const [mark, place, ...name] = id.split(':')
    return mark === '\0unneeded' ? { code: builtins[place][name.join(':')], moduleType: 'js' } : undefined
  },
}

/**
 * undici as it is published, but each of its exports loads its files when it is first asked for. All of them, with fetch,
 * WebSocket, mocks and caches, take 48 ms; HTTP/2 takes 9.
 */
export const whenAsked = {
  name: 'when-asked',
  transform(code, id) {
    const isClient = id.endsWith('/undici/lib/dispatcher/client.js')
    if (!isClient && !id.endsWith('/undici/index.js')) return undefined
    const changed = requiredWhenAsked(code, isClient ? /client-h2/ : /./)
    const result = isClient ? changed : exportedWhenAsked(changed)
    if (changed === code || result.length < code.length / 2)
      throw Error(`${id} is written otherwise than before`)
    return result
  },
}

/** Puts what a file requires at its head in the places of the names that stand for it. */
function requiredWhenAsked(code, files) {
  const calls = new Map()
  const rest = code.replace(
    /^const (?:(\w+)|\{ ([\w, ]+) \}) = (require\('(.+)'\)(?:\.\w+)?)\n/gm,
    (line, name, names, call, file) => {
      if (!files.test(file)) return line
      if (name) calls.set(name, `(${call})`)
      for (const part of names?.split(', ') ?? []) calls.set(part, `(${call}.${part})`)
      return ''
    },
  )
  const standing = new RegExp(`(?<![.\\w/'-])(?:${[...calls.keys()].join('|')})(?![\\w:'-])`, 'g')
  return rest.replace(standing, (name) => calls.get(name))
}

function exportedWhenAsked(code) {
  const head = `const exportLate = (name, make) => Object.defineProperty(module.exports, name, {
  configurable: true, enumerable: true, get() {
    const value = make()
    Object.defineProperty(module.exports, name, { value, configurable: true, enumerable: true, writable: true })
    return value
  } })\n`
  return code
    .replace("'use strict'\n", `'use strict'\n${head}`)
    .replace(
      /^module\.exports\.(\w+) = (?!function)(.*[^{\n]|\{\n(?:.*\n)+?\})$/gm,
      (_, name, value) => `exportLate('${name}', () => (${value}))`,
    )
}

function late(name) {
  return `for (const key of ${JSON.stringify(Object.keys(process.getBuiltinModule(name)))})
  Object.defineProperty(exports, key, { enumerable: true, get: () => process.getBuiltinModule('${name}')[key] })`
}

function inPlace(module, code) {
  return { name: 'in-place', load: (id) => (id.endsWith(module) ? code : undefined) }
}
