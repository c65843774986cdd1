// What the program never or seldom needs of what it imports: decided here once, and not at each import.
import * as crypto from 'node:crypto'
import * as timers from 'node:timers/promises'

// Modules of undici's HTTP/1.1 that are never reached: HTTP/2, whose node:http2 alone takes 9 ms to load, fetch and FormData,
// and the parser for processors without SIMD.
const files =
  /undici\/lib\/(?:dispatcher\/client-h2|web\/fetch\/(?:body|formdata)|web\/webidl\/index|llhttp\/llhttp-wasm)\.js$/

// By who imports them, what takes the place of Node.js's own modules.
const builtins = [
  // 2 ms for two values, and 4 ms for one function.
  [
    /undici\/lib/,
    {
      'node:http': 'exports.maxHeaderSize = 16384; exports.IncomingMessage = class {}',
      'node:assert':
        "module.exports = (value, fault = 'a fault of undici') => { if (!value) throw Error(fault) }",
    },
  ],
  // For subcommands that are programs of their own. And a copy of each module would be made to hold its default.
  [
    /commander\/lib/,
    {
      'node:child_process': 'export default {}',
      'node:fs': 'export default {}',
      'node:path': "export default process.getBuiltinModule('node:path')",
      'node:process': 'export default globalThis.process',
    },
  ],
  // Loaded by the first call of one of their functions, and not at every start: node:crypto takes 5 ms with its streams.
  [
    /[\\/]src[\\/]/,
    {
      'node:crypto': late('node:crypto', crypto),
      'node:timers/promises': late('node:timers/promises', timers),
    },
  ],
]
const mark = '\0left out: '
const codes = new Map()

export const leftOut = {
  name: 'left-out',
  resolveId(id, importer = '') {
    const at = builtins.findIndex(([who, modules]) => id in modules && who.test(importer))
    if (at < 0) return undefined
    codes.set(`${mark}${at} ${id}`, builtins[at][1][id])
    return `${mark}${at} ${id}`
  },
  load(id) {
    const code = codes.get(id) ?? (files.test(id) ? 'module.exports = {}' : undefined)
    return code && { code, moduleType: 'js' }
  },
}

function late(name, module) {
  return Object.keys(module)
    .filter((key) => key !== 'default' && typeof module[key] === 'function')
    .map(
      (key) =>
        `export function ${key}(...args) { return process.getBuiltinModule('${name}').${key}(...args) }`,
    )
    .join('\n')
}
