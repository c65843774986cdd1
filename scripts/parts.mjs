// The program in parts. Every function at the top of a file costs start-up time even when nobody calls it, so that a file
// holds no more than commands use together: 1 MB of it cost 6 ms, 400 kB cost 3 ms.
import { readFile } from 'node:fs/promises'
import { basename, dirname, join, posix, resolve } from 'node:path'

/** What starts every day, thousands of times: these commands and what they need are the program itself. */
const ordinary =
  /\/src\/cli\/commands\/(?!admin\/|db\/|profiles\/|warehouse\/|webhooks\/)\w+\/(ls|show|summary|report|tail)\.ts$/
/** Modules beside the other commands with which a part begins: with it goes what only parts use. */
const beginnings =
  /\/src\/(cli\/commands\/.*|cli\/(seed\/seed|output\/table|list\/watch-screen|report\/report-page)|conformance\/.*|contract\/openapi|engine\/(partners|timed-work)|service\/pipeline\/write|store\/postgres\/pg)\.ts$/

const program = 'custody.cjs'
const importCall = /(?<!typeof )\bimport\((['"][^'"]+['"])\)/g
const exportStatement = /export\s*\{([^{}]*)\};\s*$/

/** The program as files of dist/: `place`, below it, and `text`. `entry` is the module that starts it. */
export async function buildProgram(build, options, entry, plugins) {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: [entry],
    // esbuild splits ES modules only, so each piece is made CommonJS afterwards.
    format: 'esm',
    supported: {},
    splitting: true,
    metafile: true,
    outdir: 'dist',
    plugins: [...plugins, partsApart(entry)],
  })
  const pieces = new Map(outputFiles.map(({ path, text }) => [basename(path), text]))
  const starter = basename(entry, '.ts').concat('.js')
  const start = startOf(pieces.get(starter))
  pieces.delete(starter)
  const main = basename(pieceWith(metafile, entry, options.absWorkingDir))
  pieces.set(
    main,
    pieces.get(main).replace(exportStatement, (names) => `${start};${names}`),
  )
  const placeOf = (path) => {
    if (path.startsWith('./vendor/')) return path.slice(2)
    return basename(path) === main ? program : `parts/${basename(path, '.js')}.cjs`
  }
  return Promise.all(
    [...pieces].map(async ([name, text]) => ({
      place: placeOf(name),
      text: await asCommonJs(build, options, text, placeOf(name), placeOf),
    })),
  )
}

/**
 * import() of a module that begins a part stays one, and makes a file of it. Any other becomes a require(): the module is
 * in the file of its importer, and initialised when it is asked for.
 */
function partsApart(entry) {
  return {
    name: 'parts-apart',
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/, namespace: 'file' }, async ({ path }) => {
        const inPlace = (call, quoted) =>
          beginsPart(dirname(path), quoted.slice(1, -1))
            ? call
            : `Promise.resolve().then(() => require(${quoted}))`
        return { contents: (await readFile(path, 'utf8')).replace(importCall, inPlace), loader: 'ts' }
      })
      build.onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) =>
        kind === 'dynamic-import' ? { path: join(resolveDir, path), namespace: 'part' } : undefined,
      )
      // Every part reaches the whole program, so that what both use stays there, in one piece.
      build.onLoad({ filter: /./, namespace: 'part' }, ({ path }) => ({
        contents: `import ${JSON.stringify(entry)}; export * from ${JSON.stringify(path)}`,
        resolveDir: dirname(path),
      }))
    },
  }
}

function beginsPart(folder, specifier) {
  const path = specifier.startsWith('.') ? join(folder, specifier).replaceAll('\\', '/') : ''
  return beginnings.test(path) && !ordinary.test(path)
}

/** Of the entry nothing is left but the call that starts the program. */
function startOf(text) {
  const [, start] = /^import\s*\{\s*\w+\s*\}\s*from\s*"[^"]+";\s*(\w+\(\));\s*$/.exec(text) ?? []
  if (start === undefined) throw new Error(`the entry is not split off as expected: ${text.slice(0, 200)}`)
  return start
}

/** The one piece that holds the entry itself; an input is named by its path from the working directory. */
function pieceWith({ outputs }, entry, folder) {
  return Object.keys(outputs).find((path) =>
    Object.keys(outputs[path].inputs).some((input) => resolve(folder, input) === entry),
  )
}

/**
 * Makes a CommonJS file, at `place`, of a piece; `placeOf` says where the files that it imports go. What it exports is laid
 * out when somebody asks: of the program itself that is hundreds of names, for the parts alone.
 */
async function asCommonJs(build, options, text, place, placeOf) {
  const relocate = {
    name: 'relocate',
    setup({ onResolve }) {
      onResolve({ filter: /./ }, ({ path }) => ({
        path: path.startsWith('.') ? between(place, placeOf(path)) : path,
        external: true,
      }))
    },
  }
  const contents = text.replace(exportStatement, (_, names) => exportsOnDemand(names))
  const result = await build({ ...options, stdin: { contents }, plugins: [relocate] })
  return result.outputFiles[0].text
}

/** `names` as an export statement has them: `a, b as c`. */
function exportsOnDemand(names) {
  const getters = names.split(',').map((name) => {
    const [own, known = own] = name.trim().split(/\s+as\s+/)
    return `get ${known}(){return ${own}}`
  })
  return `let allExports;Object.defineProperty(module,"exports",{get:()=>allExports??={${getters.join(',')}}});`
}

function between(from, to) {
  const path = posix.relative(posix.dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}
