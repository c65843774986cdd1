// npm run test:generators: clients from other generators for the OpenAPI document. Each is generated without a warning, compiles
// under strict TypeScript, and runs the whole story against the real service. They weigh 160 MB, so they have their own lockfile
// and are installed in the system's temporary folder.
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { execaSync } from 'execa'

const here = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(here))
const work = join(tmpdir(), 'custody-generators')

await main()

async function main() {
  mkdirSync(work, { recursive: true })
  for (const folder of ['made', 'told']) rmSync(join(work, folder), { recursive: true, force: true })
  cpSync(here, work, { recursive: true })
  cpSync(join(root, 'test', 'golden', 'openapi.json'), join(work, 'openapi.json'))
  run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund')
  run('openapi-typescript', 'openapi.json', '-o', 'made/openapi-typescript/schema.d.ts')
  run('openapi-ts', '-i', 'openapi.json', '-o', 'made/hey-api', '--silent')
  run('orval', '--config', 'orval.config.mjs')
  run('tsc', '-p', 'tsconfig.json')
  for (const client of ['openapi-fetch', 'hey-api', 'orval']) await story(client)
}

function run(command, ...words) {
  const PATH = `${join(work, 'node_modules', '.bin')}:${process.env.PATH}`
  const env = { PATH, SCARF_ANALYTICS: 'false', NO_COLOR: '1' }
  const { exitCode, all: said } = execaSync(command, words, { cwd: work, env, reject: false, all: true })
  if (exitCode === 0 && (command === 'npm' || !/warn/i.test(said))) return console.log(`${command}: ok`)
  console.error(`${command} ${words.join(' ')}\n${said}`)
  process.exit(1)
}

async function story(client) {
  const { startCustody } = await import(pathToFileURL(join(root, 'dist', 'testing.cjs')).href)
  const { tell } = await import(pathToFileURL(join(work, 'told', 'story.mjs')).href)
  const { stepsOf } = await import(pathToFileURL(join(work, 'told', `${client}.mjs`)).href)
  const custody = await startCustody()
  const { baseUrl } = await custody.listen()
  const { fetch } = globalThis
  // Generated clients use the document's own address, /v1.
  globalThis.fetch = (to, ...rest) =>
    fetch(typeof to === 'string' ? to.replace(/^\/v1/, baseUrl) : to, ...rest)
  await tell(stepsOf(baseUrl, custody.apiKey))
  globalThis.fetch = fetch
  await custody.close()
  console.log(`${client}: told the story`)
}
