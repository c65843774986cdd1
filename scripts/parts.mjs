// The program in parts. Every function at the top of a file costs start-up time even when nobody calls it, so that a file
// holds no more than commands use together: 1 MB of it cost 6 ms, 400 kB cost 2.5 ms.
import { readFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'

/** What starts every day, thousands of times: these commands and what they need are the program itself. */
const ordinary =
  /\/src\/cli\/commands\/(?!admin\/|db\/|profiles\/|warehouse\/|webhooks\/)\w+\/(ls|show|summary|report)\.ts$/
/** Modules beside the other commands with which a part begins: with it goes what only parts use. */
const beginnings =
  /\/src\/(cli\/commands\/.*|cli\/(seed\/seed|output\/(table|csv-file))|conformance\/.*|contract\/openapi|engine\/(partners|timed-work)|service\/write|store\/pg)\.ts$/

const importCall = /(?<!typeof )\bimport\((['"][^'"]+['"])\)/g

/**
 * import() of a module that begins a part stays one, and makes a file of it. Any other becomes a require(): the module is
 * in the file of its importer, and initialised when it is asked for.
 */
export function partsApart(main) {
  return {
    name: 'parts-apart',
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/, namespace: 'file' }, async ({ path }) => {
        const inPlace = (call, quoted) =>
          begins(dirname(path), quoted.slice(1, -1))
            ? call
            : `Promise.resolve().then(() => require(${quoted}))`
        return { contents: (await readFile(path, 'utf8')).replace(importCall, inPlace), loader: 'ts' }
      })
      build.onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) =>
        kind === 'dynamic-import' ? { path: join(resolveDir, path), namespace: 'part' } : undefined,
      )
      // Every part reaches the whole program, so that what both use stays there, in one piece.
      build.onLoad({ filter: /./, namespace: 'part' }, ({ path }) => ({
        contents: `import ${JSON.stringify(main)}; export * from ${JSON.stringify(path)}`,
        resolveDir: dirname(path),
      }))
    },
  }
}

/** Makes a CommonJS file of an ES module that esbuild has split off; `placeOf` says where the files that it imports go. */
export async function asCommonJs(build, options, { place, text, placeOf }) {
  const relocate = {
    name: 'relocate',
    setup({ onResolve }) {
      onResolve({ filter: /./ }, ({ path }) => ({
        path: path.startsWith('.') ? between(place, placeOf(path)) : path,
        external: true,
      }))
    },
  }
  const result = await build({ ...options, stdin: { contents: text }, plugins: [relocate] })
  return result.outputFiles[0].text
}

function begins(folder, specifier) {
  const path = specifier.startsWith('.') ? join(folder, specifier).replaceAll('\\', '/') : ''
  return beginnings.test(path) && !ordinary.test(path)
}

function between(from, to) {
  const path = posix.relative(posix.dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}
