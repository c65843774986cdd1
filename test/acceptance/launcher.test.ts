import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { newOperator } from '../support/operator.ts'

const root = join(import.meta.dirname, '..', '..')
const program = `
const [what, ...rest] = process.argv.slice(2)
if (what === 'tell') console.log(JSON.stringify({ node: process.versions.node, rest }))
if (what === 'echo') process.stdin.pipe(process.stdout)
if (what === 'exit') process.exitCode = Number(rest[0])
if (what === 'wait') {
  setInterval(() => {}, 1000)
  process.on('SIGHUP', () => { console.log('hung up'); process.exit(7) })
  console.log('waiting')
}
`
let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'custody-launcher-'))
})

afterEach(() => {
  rmSync(home, { recursive: true, force: true })
})

describe('the built program', () => {
  it("prints its version from the build's compiled code, without a cache of its own", async () => {
    const { stdout, stderr } = await run(join(root, 'bin', 'custody.js'), ['--version'])
    expect({ stdout, stderr }).toEqual({ stdout: packageJson.version, stderr: '' })
    expect(readdirSync(home)).toEqual([])
  })

  it('has compiled code for every part under the current Node.js', async () => {
    const check = `
      const { compile, compiledCodeFile, dist } = require('./bin/custody.js'), fs = require('fs')
      const filesOf = (folder) => fs.readdirSync(dist + '/' + folder).map((name) => folder + '/' + name)
      for (const file of ['custody.cjs', ...filesOf('parts')].map((name) => dist + '/' + name)) {
        const source = fs.readFileSync(file, 'latin1')
        if (compile(file, source, fs.readFileSync(compiledCodeFile(source))).cachedDataRejected) console.log(file)
      }`
    const { stdout } = await execa(process.execPath, ['-e', check], { cwd: root })
    expect(stdout).toBe('')
  })

  it('names each part by its content, so a running command loads none of a newer version', () => {
    const parts = readdirSync(join(root, 'dist', 'parts'))
    expect(parts.filter((name) => !/-[\w-]{8}\.cjs$/.test(name))).toEqual([])
  })

  it('says so if a part that it needs was deleted by an upgrade', async () => {
    for (const part of ['bin', 'package.json', 'dist/custody.cjs', 'dist/parts', 'dist/cache'])
      cpSync(join(root, part), join(home, part), { recursive: true })
    const [bug = ''] = readdirSync(join(home, 'dist', 'parts')).filter((name) => name.startsWith('bug'))
    rmSync(join(home, 'dist', 'parts', bug))
    const { exitCode, stderr } = await run(join(home, 'bin', 'custody.js'), ['bug'])
    expect([exitCode, stderr]).toEqual([
      1,
      'custody bug: The program was replaced or deleted while it ran. Start the command again.',
    ])
  })

  it('works in a folder that was deleted, as a job may do whose release folder was replaced', async () => {
    const deleted = `cd "$(mktemp -d)" && rmdir "$PWD" && exec "$@"`
    const args = [
      '-c',
      deleted,
      'sh',
      process.execPath,
      join(root, 'bin', 'custody.js'),
      'items',
      'ls',
      '--database',
    ]
    const { stderr } = await execa('sh', [...args, 'my.db'], { env: { HOME: home }, reject: false })
    expect(stderr).toMatch(/^custody items ls: The database \/\S+\/my\.db does not exist\./)
  })

  it("loads few of Node.js's modules for a list, because each would slow every start", async () => {
    const operator = await newOperator()
    const probe = operator.write(
      'probe.cjs',
      `const before = new Set(process.moduleLoadList)
      const names = () => process.moduleLoadList.filter((name) => !before.has(name)).map((name) => name.split(' ')[1])
      process.on('exit', () => require('fs').writeSync(2, 'loaded ' + names().join(' ')))`,
    )
    const { exitCode, stderr } = await operator.run(['items', 'ls', '--json'], {
      env: { NODE_OPTIONS: `--require ${operator.path(probe)}` },
    })
    const loaded = stderr.split('loaded ')[1]?.split(' ')
    const dear =
      /^(?:crypto|stream|net|tls|http2?|perf_hooks|worker_threads|child_process|timers\/promises|module)$/
    expect({ exitCode, dear: loaded?.filter((name) => dear.test(name)) }).toEqual({ exitCode: 0, dear: [] })
    expect(loaded).toContain('sqlite')
    operator.leave()
  })
})

describe('a built checkout', () => {
  it('runs a part of the program once, whether all, some, or none of it is compiled', async () => {
    const launcher = checkout()
    const folder = join(launcher, '..', '..')
    cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true })
    const cache = join(folder, 'dist', 'cache')
    const whole = await run(launcher, ['whoami', '--json'])
    expect(JSON.parse(whole.stdout)).toMatchObject({ target: 'embedded' })
    const stamp = readFileSync(join(folder, 'dist', 'custody.cjs'), 'latin1').slice(2, 18)
    for (const name of readdirSync(cache)) if (!name.startsWith(stamp)) rmSync(join(cache, name))
    const some = await run(launcher, ['whoami', '--json'])
    rmSync(cache, { recursive: true })
    const none = await run(launcher, ['whoami', '--json'])
    expect([some.stdout, none.stdout]).toEqual([whole.stdout, whole.stdout])
  })

  it('asks for its files by the names that they have in the single-file executable', async () => {
    const assets = join(home, 'assets.cjs')
    writeFileSync(
      assets,
      `const { readFileSync } = require('node:fs'), { normalize } = require('node:path'), sea = require('node:sea')
      sea.getRawAsset = (name) => {
        if (name !== normalize(name)) throw new Error('no asset has the name ' + name)
        return readFileSync(process.cwd() + '/dist/' + name)
      }`,
    )
    const main = join(root, 'scripts', 'binary-main.cjs')
    const { stdout } = await execa(process.execPath, ['-r', assets, main, '--version'], { cwd: root })
    expect(stdout).toBe(packageJson.version)
  })
})

describe('a checkout', () => {
  it('says in one line that it was not built, and exits 1', async () => {
    const { exitCode, stdout, stderr } = await run(checkout(), ['--version'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toBe('custody: this checkout has not been built; run: npm run build')
  })

  it('runs without compiled code for this Node.js, and keeps its own', async () => {
    const { stdout } = await run(checkout(program), ['tell', 'a b', '--c'])
    expect(JSON.parse(stdout)).toEqual({ node: process.versions.node, rest: ['a b', '--c'] })
    expect(readdirSync(home)).toContain('custody')
  })

  it('runs if no cache can be written', async () => {
    const launcher = checkout(program)
    writeFileSync(join(home, 'file'), '')
    const { stdout, stderr } = await run(launcher, ['tell'], { XDG_CACHE_HOME: join(home, 'file') })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout).rest).toEqual([])
  })
})

describe('under an older Node.js', () => {
  it('the pinned one receives the arguments and streams', async () => {
    const launcher = checkout(program, 'pinned')
    const told = await runOld(launcher, ['tell', 'a b', '--c'])
    expect(JSON.parse(told.stdout)).toEqual({ node: process.versions.node, rest: ['a b', '--c'] })
    const echoed = await runOld(launcher, ['echo'], { input: 'sku,quantity' })
    expect(echoed.stdout).toBe('sku,quantity')
  })

  it.each([0, 1, 9])('the exit code %i of the pinned one is passed on', async (code) => {
    const { exitCode } = await runOld(checkout(program, 'pinned'), ['exit', String(code)])
    expect(exitCode).toBe(code)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('%s reaches the pinned one and ends both', async (signal) => {
    const running = runOld(checkout(program, 'pinned'), ['wait'])
    running.stdout.once('data', () => running.kill(signal))
    const ended = await running
    expect({ signal: ended.signal, exitCode: ended.exitCode }).toEqual({ signal, exitCode: undefined })
  })

  it('an installation without a newer one fails and says so', async () => {
    const check = (pinned: Pinned): string =>
      checkout(undefined, pinned).replace(/custody\.js$/, 'installed.js')
    const rejected = await runOld(check('absent'), [])
    expect([rejected.exitCode, rejected.stderr]).toEqual([
      1,
      expect.stringMatching(/^custody: needs Node\.js 24 or newer, this is 20\.9\.0; install that first/),
    ])
    const fine = [await runOld(check('pinned'), []), await run(check('absent'), [])]
    expect(fine.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ])
  })

  it('a signal that the pinned one handles becomes its exit code', async () => {
    const running = runOld(checkout(program, 'pinned'), ['wait'])
    running.stdout.once('data', () => running.kill('SIGHUP'))
    const { exitCode, stdout } = await running
    expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: 'waiting\nhung up' })
  })

  it.each(['absent', 'outdated', 'broken'] as const)(
    'an %s pinned one is reported in one line with exit code 1',
    async (state) => {
      const { exitCode, stdout, stderr } = await runOld(checkout(program, state), ['tell'])
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
      expect(stderr).toBe(
        'custody: needs Node.js 24 or newer, this is 20.9.0; install it, or in a checkout run: npm ci',
      )
    },
  )
})

type Pinned = 'pinned' | 'absent' | 'outdated' | 'broken'

/** A separate checkout with the real launcher and `source` as its program. Returns the launcher's path. */
function checkout(source?: string, pinned: Pinned = 'absent'): string {
  const folder = mkdtempSync(join(home, 'checkout-'))
  cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  if (pinned !== 'absent') installNode(join(folder, 'node_modules', 'node'), pinned)
  if (source !== undefined) {
    mkdirSync(join(folder, 'dist'))
    writeFileSync(join(folder, 'dist', 'custody.cjs'), source)
  }
  return join(folder, 'bin', 'custody.js')
}

function installNode(folder: string, pinned: Pinned): void {
  if (pinned === 'pinned') {
    symlinkSync(join(root, 'node_modules', 'node'), folder)
    return
  }
  mkdirSync(join(folder, 'bin'), { recursive: true })
  const version = pinned === 'outdated' ? '20.9.0' : '24.1.0'
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'node', version }))
  writeFileSync(join(folder, 'bin', 'node'), 'not a program')
  chmodSync(join(folder, 'bin', 'node'), 0o644)
}

function run(launcher: string, args: string[], env: Record<string, string> = {}) {
  return execa(process.execPath, [launcher, ...args], {
    env: { XDG_CACHE_HOME: home, ...env },
    reject: false,
  })
}

/** Starts the launcher under a Node.js that reports an older version. */
function runOld(launcher: string, args: string[], options: { input?: string } = {}) {
  const disguise = join(home, 'disguise.cjs')
  writeFileSync(
    disguise,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.9.0' } })`,
  )
  return execa(process.execPath, ['--require', disguise, launcher, ...args], {
    env: { XDG_CACHE_HOME: home },
    reject: false,
    ...options,
  })
}
