// What the bundle leaves apart. Every function at the top of the bundle costs start-up time even when no command
// needs it: 2 MB of it make `custody --version` take 1.6 times a bare start, 60 kB take 1.2 times.

/** Heavy packages, none of them needed to start. Each becomes dist/vendor/<name>.cjs. */
const apart = [
  '@fastify/multipart',
  '@inquirer/prompts',
  'ajv',
  'ajv-formats',
  'conf',
  'fastify',
  'ora',
  'pg',
  'pino',
  'prom-client',
  'rate-limiter-flexible',
  'undici',
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

/** Built-in modules that cost milliseconds to load and whose functions only some commands call: loaded by the first call. */
const onDemand = {
  child_process: { importer: /[\\/]commander[\\/]/, names: ['spawn'] },
  crypto: {
    importer: /^(?!.*node_modules)/,
    names: [
      'createHash',
      'createHmac',
      'randomBytes',
      'randomUUID',
      'randomInt',
      'randomFillSync',
      'timingSafeEqual',
    ],
  },
}

export const builtinsOnDemand = {
  name: 'builtins-on-demand',
  setup(build) {
    build.onResolve({ filter: /^(node:)?(child_process|crypto)$/ }, ({ path, importer, namespace }) => {
      const name = path.replace('node:', '')
      if (namespace !== 'on-demand' && onDemand[name].importer.test(importer))
        return { path: name, namespace: 'on-demand' }
    })
    build.onLoad({ filter: /./, namespace: 'on-demand' }, ({ path }) => ({
      contents: onDemand[path].names
        .map(
          (name) =>
            `exports.${name} = (...args) => process.getBuiltinModule("node:${path}").${name}(...args)`,
        )
        .join('\n'),
      loader: 'js',
    }))
  },
}
