// What is the same every time is made here and put in as text.
import { createRequire } from 'node:module'

/** The OpenAPI document: no command spends 50 ms on it. */
export function openApiMade(bundled) {
  return made(
    'openapi',
    /[\\/]src[\\/]contract[\\/]document[\\/]openapi\.ts$/,
    bundled,
    ({ openApiText }) => {
      return `const text = ${JSON.stringify(openApiText())}
export function openApiText() { return text }
export function openApiDocument() { return JSON.parse(text) }`
    },
  )
}

/** The operations as a client that checks nothing itself needs them: without the functions that make schemas. */
export function tableMade(bundled) {
  const table = /[\\/]src[\\/]contract[\\/]operations[\\/]table\.ts$/
  return made('table', table, bundled, ({ operations }) => {
    const wire = Object.entries(operations).map(([id, { method, path, success, paged }]) => [
      id,
      { method, path, success, paged },
    ])
    return `export const operations = ${JSON.stringify(Object.fromEntries(wire))}`
  })
}

function made(name, filter, bundled, textOf) {
  return {
    name: `${name}-made`,
    load: {
      filter: { id: filter },
      async handler(id) {
        const module = { exports: {} }
        const [{ code }] = await bundled(id, { codeSplitting: false })
        new Function('module', 'exports', 'require', code)(
          module,
          module.exports,
          createRequire(import.meta.url),
        )
        return textOf(module.exports)
      },
    },
  }
}
