// npm run docs: writes docs/api/, a page an operation, from the OpenAPI document.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openApiDocument } from '../src/contract/document/openapi.ts'
import { apiPages } from '../src/contract/document/pages/api-pages.ts'
import type { Document } from '../src/contract/document/pages/document-types.ts'

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs', 'api')

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const [name, text] of apiPages(openApiDocument() as Document)) writeFileSync(join(folder, name), text)
