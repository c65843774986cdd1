// Run by the build, under the runtime that will run the program: loads it, lets it do a few ordinary commands, and
// keeps the code that V8 compiled for them. A command that fails here only leaves its part to be compiled at its start.
const { spawnSync } = require('node:child_process')
const { createServer } = require('node:http')
const { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { compile, compiledCodeFile, dist, execute, loaded } = require('../bin/custody.js')

const commands = [
  '--version',
  'doctor',
  'manifests report PO-1041',
  'fulfillments ls',
  'events tail',
  'items ls',
  'items ls',
]

const scripts = new Map()
const home = mkdtempSync(join(tmpdir(), 'custody-build-'))
// Whatever the builder has set up for custody must not be what these commands run against.
for (const name of Object.keys(process.env)) if (name.startsWith('CUSTODY_')) delete process.env[name]
for (const name of ['HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME']) process.env[name] = home
process.exitCode = 1
process.on('exit', () => rmSync(home, { recursive: true, force: true }))
process.exit = () => {
  throw new Error('a command ends')
}
process.on('uncaughtException', () => {})
// The sandbox is made by another process: what makes it is not what a command does every time.
spawnSync(process.execPath, [join(__dirname, '..', 'bin', 'custody.js'), 'items', 'ls'], {
  env: process.env,
  stdio: 'ignore',
})
// The last command runs over HTTP, against a service that has nothing.
const service = createServer((_, response) => {
  response.setHeader('content-type', 'application/json')
  response.end('{"page_size":20,"count":0,"total":0,"current_page_number":1,"results":[]}')
})
service.on('connection', (socket) => socket.unref())
service.listen(0, '127.0.0.1', () => {
  service.unref()
  process.on('beforeExit', next)
  next()
})

/** Runs the next command; Node.js calls it again when that one has nothing left to do. */
function next() {
  const command = commands.shift()
  if (command === undefined) return keepCode()
  if (commands.length === 0) {
    process.env.CUSTODY_BASE_URL = `http://127.0.0.1:${service.address().port}/v1`
    process.env.CUSTODY_API_KEY = 'none'
  }
  process.argv = [process.execPath, 'custody', ...command.split(' ')]
  loaded.clear()
  setImmediate(() => run(join(dist, 'custody.cjs')))
}

function load(file) {
  if (!loaded.has(file)) run(file)
  return loaded.get(file).exports
}

function run(file) {
  if (!scripts.has(file)) {
    const source = readFileSync(file, 'latin1')
    scripts.set(file, { script: compile(file, source), codeFile: compiledCodeFile(source) })
  }
  execute(scripts.get(file).script, file, load)
}

/** Of the program itself, before the parts are loaded: what they use is not what a command does every time. */
function keepCode() {
  process.removeAllListeners('uncaughtException')
  keep()
  for (const name of readdirSync(join(dist, 'parts'))) load(join(dist, 'parts', name))
  keep()
  process.exitCode = 0
}

function keep() {
  for (const { script, codeFile } of scripts.values()) {
    if (!existsSync(codeFile)) writeFileSync(codeFile, script.createCachedData())
  }
}
