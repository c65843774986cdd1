// What takes the place of modules that the program never or seldom needs: decided here once, and not at each import.
import * as crypto from 'node:crypto'
import * as timers from 'node:timers/promises'

/** Never reached in undici: HTTP/2, whose node:http2 alone takes 9 ms, fetch, and the parser for processors without SIMD. */
const unreached =
  /undici\/lib\/(?:dispatcher\/client-h2|web\/fetch\/(?:body|formdata)|web\/webidl\/index|llhttp\/llhttp-wasm)\.js$/

/** Node.js's own modules, by the place of who imports them. */
const builtins = {
  // 2 ms for two values, and 4 ms for one function.
  '/undici/lib/': {
    'node:http': 'exports.maxHeaderSize = 16384; exports.IncomingMessage = class {}',
    'node:assert':
      "module.exports = (value, fault = 'a fault of undici') => { if (!value) throw Error(fault) }",
  },
  // For subcommands that are programs of their own. And a copy of each module would be made to hold its default.
  '/commander/lib/': {
    'node:child_process': 'export default {}',
    'node:fs': 'export default {}',
    'node:path': "export default process.getBuiltinModule('node:path')",
    'node:process': 'export default globalThis.process',
  },
  // Loaded by the first call of one of their functions, and not at every start: node:crypto takes 5 ms with its streams.
  '/src/': {
    'node:crypto': late('node:crypto', crypto),
    'node:timers/promises': late('node:timers/promises', timers),
  },
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

/** Puts text in the place of modules of src/. */
export function inPlace(texts) {
  return { name: 'in-place', load: (id) => texts[id.slice(id.indexOf('/src/'))] }
}

function late(name, module) {
  const functions = Object.keys(module).filter(
    (key) => key !== 'default' && typeof module[key] === 'function',
  )
  return [
    'let loaded',
    ...functions.map(
      (key) =>
        `export function ${key}(...args) { return (loaded ??= process.getBuiltinModule('${name}')).${key}(...args) }`,
    ),
  ].join('\n')
}
