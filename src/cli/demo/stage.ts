import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CliError, type Ending, exitCodes } from '../base/cli-error.ts'
import type { Io } from '../base/io.ts'
import { quoted } from '../base/shell-word.ts'
import { styleFor } from '../base/style.ts'
import { removedAtEnd, temporaryFolder } from '../base/temporary-folder.ts'
import type { Session } from '../command.ts'
import { fitTo } from '../output/fit-to.ts'

/** A folder with a database of its own, in which the real commands run. */
export type Stage = {
  readonly folder: string
  write(file: string, text: string): void
  /** `title` begins a new chapter. */
  say(text: string, title?: string): void
  /** `value`: a last argument that contains blanks. Throws `CliError` if the exit code is not `expected`. */
  run(command: string, more?: { value?: string; expected?: number }): Promise<void>
  ask<T>(command: string): Promise<T>
  close(): void
}

/** Throws `CliError` if the folder cannot be created. */
export async function openStage({ io, options, program }: Session, isKept: boolean): Promise<Stage> {
  const folder = temporaryFolder('custody-demo-')
  const close = isKept ? () => {} : removedAtEnd(folder)
  const style = await styleFor(io.out, io.env)
  const fitted = await fitTo(io.out)
  // A command that could ask would stop the story for an answer.
  const stdin = { ...io.stdin, isTerminal: false }
  const inFolder = { ...io, stdin, cwd: folder, env: envIn(folder, io.env) }
  const common = [...(options.color === false ? ['--no-color'] : []), ...(options.debug ? ['--debug'] : [])]
  return {
    folder,
    write: (file, text) => writeFileSync(join(folder, file), text),
    say: (text, title) => {
      const heading = title === undefined ? '' : `${style.bold(style.cyan(title))}\n`
      io.out.write(`\n${heading}${fitted(text)}\n`)
    },
    async run(command, { value, expected = 0 } = {}) {
      const args = [...command.split(' '), ...(value === undefined ? [] : [value])]
      io.out.write(`\n${style.dim('$')} ${style.bold(`custody ${args.map(quoted).join(' ')}`)}\n`)
      checkCode(args, await program.run([...args, ...common], inFolder), expected)
    },
    async ask<T>(command: string) {
      const args = command.split(' ')
      let text = ''
      const collect = (part: string): void => {
        text += part
      }
      const out = { write: collect, isTerminal: false, columns: () => 80 }
      const err = { ...out, write: () => {} }
      checkCode(args, await program.run([...args, '--json'], { ...inFolder, out, err }), 0)
      return JSON.parse(text) as T
    },
    close,
  }
}

/** Hides the operator's own targets, files, and settings. */
function envIn(folder: string, env: Io['env']): Io['env'] {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('CUSTODY_'))
  const own = { XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, XDG_STATE_HOME: folder }
  return {
    ...Object.fromEntries(others),
    ...own,
    CUSTODY_DATABASE: join(folder, 'demo.db'),
    CUSTODY_PAGER: '',
  }
}

/** A command that failed has said why; the demo exits with the same code. */
function checkCode(args: readonly string[], code: number, expected: number): void {
  if (code === expected) return
  const message = `The demo stopped: custody ${args.join(' ')} exited ${code}, not ${expected}.`
  const endings = Object.entries(exitCodes) as Array<[Ending, number]>
  throw new CliError(endings.find(([, number]) => number === code)?.[0] ?? 'internal', message)
}
