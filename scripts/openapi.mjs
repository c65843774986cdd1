import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The OpenAPI document is the same every time: made here and put in as text, it costs no command 50 ms. */
export function openApiMade(build, options) {
  return {
    name: 'openapi-made',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/]contract[\\/]openapi\.ts$/, namespace: 'file' }, async ({ path }) => {
        const { outputFiles } = await build({ ...options, entryPoints: [path] })
        const module = { exports: {} }
        new Function('module', 'exports', 'require', outputFiles[0].text)(module, module.exports, require)
        return { contents: replacement(module.exports.openApiText()), loader: 'js' }
      })
    },
  }
}

function replacement(text) {
  return `const text = ${JSON.stringify(text)}
export function openApiText() { return text }
export function openApiDocument() { return JSON.parse(text) }`
}
