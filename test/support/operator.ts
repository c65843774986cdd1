import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa, type Options, type ResultPromise } from 'execa'
import { inject } from 'vitest'
import { cliUserAt } from './cli-io.ts'
import { scratch } from './scratch.ts'
import { isLong } from './soak.ts'

export const root = join(import.meta.dirname, '..', '..')
/** Set by `npm run test:binary`: the single-file executable, tested without any Node.js on the path. */
const binary = process.env.CUSTODY_TEST_BINARY
const program =
  binary === undefined ? [process.execPath, join(root, 'bin', 'custody.js')] : [join(root, binary)]

export type Ran = { exitCode: number | undefined; stdout: string; stderr: string }
export type RunOptions = { input?: string; env?: Record<string, string> }

/** Somebody with their own home who types commands, without a terminal. */
export type Operator = {
  readonly folder: string
  /** The database of every command unless another is named. */
  readonly database: string
  /**
   * Runs the real program if no test of the run has run this command, otherwise the same in this process from the source, in a
   * fraction of the time. In a soak always the program.
   */
  run(args: readonly string[], options?: RunOptions): Promise<Ran>
  /** Always the real program: for what a process has of its own, such as its environment and its ends. */
  real(args: readonly string[], options?: RunOptions): Promise<Ran>
  /** The same, without waiting: for long-running commands, and for killing them. */
  start(args: readonly string[], options?: Options): ResultPromise
  /** A command's JSON output; throws unless it exits 0. */
  json<T>(args: readonly string[]): Promise<T>
  /** For what prepares or looks: never the real program. */
  here(args: readonly string[], options?: RunOptions): Promise<Ran>
  look<T>(args: readonly string[], options?: RunOptions): Promise<T>
  path(file: string): string
  write(file: string, text: string | Uint8Array): string
  read(file: string): string
  /** Copies a file of fixtures/ here, and returns its name. */
  fixture(file: string): string
  leave(): void
}

/** `seeded`: with the sample data; `empty`: with an empty database; `none`: before the first command. */
export async function newOperator(state: 'seeded' | 'empty' | 'none' = 'seeded'): Promise<Operator> {
  const folder = mkdtempSync(join(scratch, 'custody-acceptance-'))
  const database = join(folder, 'sandbox.db')
  const path = (file: string): string => join(folder, file)
  const env = {
    PATH: binary === undefined ? (process.env.PATH ?? '') : '',
    HOME: folder,
    XDG_DATA_HOME: path('data'),
    XDG_STATE_HOME: path('state'),
    XDG_CONFIG_HOME: path('config'),
    TZ: 'America/New_York',
    ...(state !== 'none' && { CUSTODY_DATABASE: database }),
  }
  const start = (args: readonly string[], options: Options = {}): ResultPromise =>
    execa(program[0]!, [...program.slice(1), ...args], {
      cwd: folder,
      extendEnv: false,
      reject: false,
      stripFinalNewline: false,
      ...options,
      env: { ...env, ...options.env },
    }) as unknown as ResultPromise
  const real = async (args: readonly string[], { input = '', ...options }: RunOptions = {}): Promise<Ran> => {
    const { exitCode, stdout, stderr } = await start(args, { input, ...options })
    return { exitCode, stdout: String(stdout), stderr: String(stderr) }
  }
  const user = cliUserAt(folder)
  const here = async (args: readonly string[], options: RunOptions = {}): Promise<Ran> => {
    const { code, out, err } = await user.run(args, { ...options, env: { ...env, ...options.env } })
    return { exitCode: code, stdout: out, stderr: err }
  }
  const run = (args: readonly string[], options?: RunOptions): Promise<Ran> =>
    needsProgram(args, options?.env) ? real(args, options) : here(args, options)
  if (state !== 'none') copyFileSync(await template(state), database)
  return {
    folder,
    database,
    run,
    real,
    start,
    here,
    json: async (args) => jsonOf(args, await run([...args, '--json'])),
    look: async (args, options) => jsonOf(args, await here([...args, '--json'], options)),
    path,
    write(file, text) {
      writeFileSync(path(file), text)
      return file
    },
    read: (file) => readFileSync(path(file), 'utf8'),
    fixture(file) {
      const name = file.split('/').at(-1) ?? file
      cpSync(join(root, 'fixtures', file), path(name))
      return name
    },
    leave: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A run's first command of its kind, and one with variables that are not custody's own: Node.js and the system read those. */
function needsProgram(args: readonly string[], given: object = {}): boolean {
  const words = args.slice(0, 2).filter((word) => /^[a-z-]+$/.test(word))
  return (
    isFirstOfRun(['ran', ...words].join('-')) ||
    isLong ||
    binary !== undefined ||
    Object.keys(given).some((name) => !/^CUSTODY_/.test(name))
  )
}

/** Whichever process asks first: they share the folder. */
function isFirstOfRun(kind: string): boolean {
  try {
    writeFileSync(join(inject('made'), kind), '', { flag: 'wx' })
    return true
  } catch {
    return false
  }
}

function jsonOf<T>(args: readonly string[], { exitCode, stdout, stderr }: Ran): T {
  if (exitCode !== 0) throw new Error(`custody ${args.join(' ')} ended with ${exitCode}: ${stderr}`)
  return JSON.parse(stdout) as T
}

/** For each.ts. */
export const operatorWith = (state?: Parameters<typeof newOperator>[0]) => ({
  make: () => newOperator(state),
  end: (operator: Operator) => operator.leave(),
})

const templates: Partial<Record<'seeded' | 'empty', Promise<string>>> = {}

/** Created once per process and copied, because seeding takes longer than most tests. */
function template(state: 'seeded' | 'empty'): Promise<string> {
  templates[state] ??= makeTemplate(state)
  return templates[state]
}

async function makeTemplate(state: 'seeded' | 'empty'): Promise<string> {
  const { here, leave } = await newOperator('none')
  const file = join(inject('made'), `${state}-${process.pid}.db`)
  const make = state === 'empty' ? ['sandbox', 'reset', '--no-seed', '--yes'] : ['sandbox', 'seed']
  const { exitCode, stderr } = await here([...make, '--database', file])
  leave()
  if (exitCode !== 0) throw new Error(`no database could be made: ${stderr}`)
  return file
}
