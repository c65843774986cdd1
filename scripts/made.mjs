// Run by the build, under the pinned runtime, which reads TypeScript: prints the text of modules that are the same every time.
import { openApiText } from '../src/contract/document/openapi.ts'
import { operations } from '../src/contract/operations/table.ts'

/** No command spends 50 ms on the OpenAPI document. */
const document = {
  '/src/contract/document/openapi.ts': `const text = ${JSON.stringify(openApiText())}
export function openApiText() { return text }
export function openApiDocument() { return JSON.parse(text) }`,
}

/** The operations as a client that checks nothing itself needs them: without the functions that make schemas. */
const wire = Object.entries(operations).map(([id, { method, path, success, paged }]) => [
  id,
  { method, path, success, paged },
])
const table = {
  '/src/contract/operations/table.ts': `export const operations = ${JSON.stringify(Object.fromEntries(wire))}`,
}

process.stdout.write(JSON.stringify({ document, table }))
