// What the program's packages name and custody never reaches stays out of the bundle. Of undici's HTTP/1.1: HTTP/2, whose
// node:http2 alone takes 9 ms to load, fetch and FormData, the parser for processors without SIMD, and node:http, 2 ms for two
// values. Of commander: node:child_process, for subcommands that are programs of their own.
const files =
  /undici\/lib\/(?:dispatcher\/client-h2|web\/fetch\/(?:body|formdata)|web\/webidl\/index|llhttp\/llhttp-wasm)\.js$/
const builtins = {
  'node:http': [/undici\/lib/, 'exports.maxHeaderSize = 16384; exports.IncomingMessage = class {}'],
  'node:child_process': [/commander\/lib/, 'module.exports = {}'],
}
const mark = '\0left out: '

export const leftOut = {
  name: 'left-out',
  resolveId(id, importer) {
    return builtins[id]?.[0].test(importer) ? mark + id : undefined
  },
  load(id) {
    const code = id.startsWith(mark) ? builtins[id.slice(mark.length)][1] : 'module.exports = {}'
    return id.startsWith(mark) || files.test(id) ? { code, moduleType: 'js' } : undefined
  },
}
