// npm run docs:pictures: writes docs/pictures/ from the current output of the built program.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { picturesByName } from './pictures/record.ts'

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs', 'pictures')
const drawn = await picturesByName()
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const [name, svg] of drawn) writeFileSync(join(folder, name), svg)
