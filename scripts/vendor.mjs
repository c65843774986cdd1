// The packages that the program leaves apart: every function at the top of a file costs start-up time, needed or not.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Heavy packages, none of them needed to start. Each becomes dist/vendor/<name>.cjs. */
const apart = [
  '@fastify/multipart',
  '@inquirer/prompts',
  'ajv',
  'ajv-formats',
  'conf',
  'csv-parse',
  'csv-stringify',
  'fastify',
  'ora',
  'pg',
  'pino',
  'prom-client',
  'standardwebhooks',
]

/** Turns an import of such a package into a require of its vendor file, and notes in `wanted` what that must offer. */
export function vendorApart(wanted) {
  const filter = new RegExp(`^(${apart.join('|')})(/|$)`)
  return {
    name: 'vendor-apart',
    setup(build) {
      build.onResolve({ filter }, ({ path }) => ({ path, namespace: 'vendor' }))
      build.onLoad({ filter: /./, namespace: 'vendor' }, ({ path }) => {
        const name = packageOf(path)
        wanted.set(name, (wanted.get(name) ?? new Set()).add(path))
        return { contents: `module.exports = require('./vendor/${fileOf(name)}')['${path}']()` }
      })
      build.onResolve({ filter: /./, namespace: 'vendor' }, ({ path }) => ({ path, external: true }))
    },
  }
}

/** One file offers all that is imported of its package, so that its parts share their inner modules. */
export function vendorEntry(specifiers, isEsm) {
  const offer = (path) => `'${path}': () => ${isEsm ? 'asImported' : ''}(require('${path}'))`
  const offers = [...specifiers].sort().map(offer)
  return `module.exports = { ${offers.join(', ')} }\n${isEsm ? asImported : ''}`
}

/** An importer sees module.exports as the default import, so an ES module's default is laid there, its names on it. */
function asImported(found) {
  return found.default === undefined ? found : Object.assign(found.default, found)
}

export function fileOf(name) {
  return `${name.replace('@', '').replace('/', '-')}.cjs`
}

function packageOf(path) {
  return apart.find((name) => path === name || path.startsWith(`${name}/`))
}

/** Built-in modules that cost to load and whose functions only some commands call: loaded by the first call of one. */
const onDemand = ['child_process', 'crypto', 'fs/promises', 'os', 'timers/promises']

/** Of our own modules and of commander, which wants each built-in whole, as its default export: copied, that costs 2 ms. */
export const builtinsOnDemand = {
  name: 'builtins-on-demand',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path, importer }) => {
      const name = path.replace('node:', '')
      const isCommander = /[\\/]commander[\\/]/.test(importer)
      if (isCommander && /^(fs|path|process)$/.test(name)) return { path: name, namespace: 'whole' }
      const isOurs = isCommander || !/[\\/]node_modules[\\/]/.test(importer)
      return isOurs && onDemand.includes(name) ? { path: name, namespace: 'on-demand' } : undefined
    })
    build.onLoad({ filter: /./, namespace: 'whole' }, ({ path }) => ({
      contents: `export default process.getBuiltinModule('node:${path}')`,
    }))
    build.onLoad({ filter: /./, namespace: 'on-demand' }, ({ path }) => ({ contents: callers(path) }))
  },
}

/** Functions only: an import of anything else of such a module does not build. */
function callers(name) {
  const found = require(`node:${name}`)
  const names = Object.keys(found).filter((each) => typeof found[each] === 'function')
  const lines = names.map(
    (each) => `const ${each} = (...args) => process.getBuiltinModule('node:${name}').${each}(...args)`,
  )
  return `${lines.join('\n')}\nexport { ${names.join(', ')} }\nexport default { ${names.join(', ')} }`
}
