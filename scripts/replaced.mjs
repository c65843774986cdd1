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

/** Never reached in undici: HTTP/2, whose node:http2 alone takes 9 ms, fetch, and the parser for processors without SIMD. */
const unreached =
  /undici\/lib\/(?:dispatcher\/client-h2|web\/fetch\/(?:body|formdata)|web\/webidl\/index|llhttp\/llhttp-wasm)\.js$/

const displayWidth = new URL('../src/cli/output/shorten.ts', import.meta.url).pathname

/** Node.js's own modules, and one of a library's, by the place of who imports them. */
const builtins = {
  // 2 ms for two values, and 4 ms for one function.
  '/undici/lib/': {
    'node:http': 'exports.maxHeaderSize = 16384; exports.IncomingMessage = class {}',
    'node:assert':
      "module.exports = (value, fault = 'a fault of undici') => { if (!value) throw Error(fault) }",
  },
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
    if (mark === '\0unneeded') return { code: builtins[place][name.join(':')], moduleType: 'js' }
    return unreached.test(id) ? 'module.exports = {}' : undefined
  },
}

function late(name) {
  return `for (const key of ${JSON.stringify(Object.keys(process.getBuiltinModule(name)))})
  Object.defineProperty(exports, key, { enumerable: true, get: () => process.getBuiltinModule('${name}')[key] })`
}

function inPlace(module, code) {
  return { name: 'in-place', load: (id) => (id.endsWith(module) ? code : undefined) }
}
