// Replaces modules in the build: those that the program rarely or never needs, and those with a constant result.
import { answerShape } from '../src/contract/answer-shapes.ts'
import { openApiText } from '../src/contract/document/openapi.ts'
import { operations } from '../src/contract/operations.ts'

/** The OpenAPI document as text, which would take 50 ms to build. */
export const document = inPlace(
  '/src/contract/document/openapi.ts',
  `const text = ${JSON.stringify(openApiText())}
export function openApiText() { return text }
export function openApiDocument() { return JSON.parse(text) }`,
)

const shapes = Object.keys(operations).map((id) => [id, JSON.stringify(answerShape(id) ?? null)])
/** As text: a run needs a few of them, and no schema of a response. */
export const answerShapes = inPlace(
  '/src/contract/answer-shapes.ts',
  `const shapes = ${JSON.stringify(Object.fromEntries(shapes))}
const parsed = {}
export function answerShape(id) { return parsed[id] ??= JSON.parse(shapes[id]) ?? undefined }`,
)

/** The client library stays small: objects, and lists of objects. */
export const listShapes = inPlace(
  '/src/contract/answer-shapes.ts',
  `import { operations } from './operations/table.ts'
const object = { keys: {} }
const list = { keys: { results: { each: object } } }
export function answerShape(id) { return operations[id].paged || id === 'listEvents' ? list : object }`,
)

/** The client library needs no schemas. */
const ofTheWire = ([id, { method, path, success, paged, form }]) => [
  id,
  { method, path, success, paged, form: form && true },
]
export const table = inPlace(
  '/src/contract/operations/table.ts',
  `export const operations = ${JSON.stringify(Object.fromEntries(Object.entries(operations).map(ofTheWire)))}`,
)

/** Replacements of Node.js modules, by the folder that imports them. */
const builtins = {
  // Commander needs it only for subcommands that are separate programs.
  '/commander/lib/': { 'node:child_process': 'export default {}' },
  // Loaded when one of their functions is first used: node:crypto takes 5 ms with its streams.
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
 * The published undici, changed so that each export loads its files on first use. All of them, with fetch, WebSocket, mocks and
 * caches, take 48 ms; HTTP/2 takes 9.
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

/** Moves each `require` from the head of a file to the places that use its names. */
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

/**
 * The published string-width, changed to create its expressions and its segmenter on first use: they take 20 ms, and most text
 * is ASCII.
 */
export const measuredWhenAsked = {
  name: 'measured-when-asked',
  transform(code, id) {
    if (!id.endsWith('/string-width/index.js')) return undefined
    const names = []
    const declared = code.replace(/^const (\w+) = (new .*|\/.*\/v);$/gm, (_, name, value) => {
      names.push(name)
      return `let made_${name}; const ${name}_ = () => made_${name} ??= ${value};`
    })
    if (names.length === 0) throw Error(`${id} is written otherwise than before`)
    return declared.replace(new RegExp(`\\b(${names.join('|')})(?=[.)])`, 'g'), '$1_()')
  },
}

function late(name) {
  return `for (const key of ${JSON.stringify(Object.keys(process.getBuiltinModule(name)))})
  Object.defineProperty(exports, key, { enumerable: true, get: () => process.getBuiltinModule('${name}')[key] })`
}

function inPlace(module, code) {
  return { name: `in place of ${module}`, load: (id) => (id.endsWith(module) ? code : undefined) }
}
