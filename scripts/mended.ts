// Mends packages: for the build, and for tests that run from source (test/support/mended-packages.ts).
import { join } from 'node:path'

type Mended = {
  name: string
  isOf(id: string): boolean
  transform(code: string, id: string): string | undefined
}

/** It wrote a file with one call, which on a nearly full disk writes only the head of it, without an error. */
const atomically = mended('atomically/dist/index.js', [
  'fs.retry.writeSync(retryOptions)(fd, data, 0, options.encoding || DEFAULT_ENCODING)',
  'fs.retry.writeFileSync(retryOptions)(fd, data, options.encoding || DEFAULT_ENCODING)',
])

/** It looked up the home folder when it was loaded, which fails in a container without one. conf gets the folder from custody. */
const envPaths = mended('env-paths/index.js', ['os.homedir()', "''"])

/** Its string-width, of 2020, is slow and measures newer emoji and combining marks differently from the code that cuts cells. */
const cliTable = mended('cli-table3/src/utils.js', [
  "require('string-width')",
  `require(${JSON.stringify(join(import.meta.dirname, '../src/cli/output/shorten.ts'))}).displayWidth`,
])

/** A process that catches this signal and raises it again ends by it; without them, a file too large is an error of the write. */
const signals = [
  mended('when-exit/dist/node/signals.js', ["'SIGXFSZ', ", '']),
  mended('signal-exit/dist/mjs/signals.js', ["'SIGXFSZ',", '']),
]

/**
 * The package looked up the colour of each cell: 36 µs and an error each in a workbook without colours. It wrote out every formula, and
 * a shared one once for each of its cells, only to tell that there is one. It decoded UTF-8 itself, in 40 bytes of memory a character.
 */
const workbook = mended(
  '@e965/xlsx/dist/xlsx.mini.min.js',
  ['if(!a.cellStyles)return;if(t!=null)try{', 'return;try{'],
  ['if(l.cellFormula){if((m=', 'if(/<(?:\\w+:)?f[\\s>/]/.test(w))k.f="";if(l.cellFormula){if((m='],
  ['var Dt=_&&(', 'var Dt=('],
)

/** jq printed "Aborted()" if its memory was full, and threw an error that says so as well. */
const jq = mended('jq-wasm/dist/inline.mjs', ['console.error(message);', ''])

export const mends = [atomically, cliTable, envPaths, jq, ...signals, workbook]

function mended(file: string, ...changes: Array<[from: string, to: string]>): Mended {
  const isOf = (id: string): boolean => id.endsWith(`/node_modules/${file}`)
  return {
    name: `mended ${file}`,
    isOf,
    transform(code, id) {
      if (!isOf(id)) return undefined
      return changes.reduce((before, [from, to]) => {
        if (!before.includes(from)) throw new Error(`${id} is written otherwise than before`)
        return before.replace(from, to)
      }, code)
    },
  }
}
