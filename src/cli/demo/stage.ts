import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quoted } from '../base/shell-word.ts'
import type { Session } from '../command.ts'

/** Where a demo plays: a folder and a database of its own, and the real commands run in it. */
export type Stage = {
  readonly folder: string
  write(file: string, text: string): void
  /** Says what comes next, under a title where a new chapter begins. */
  say(text: string, title?: string): void
  /** Shows a command as an operator types it, runs it, and lets its output through. Throws when it ends otherwise than expected. */
  run(args: readonly string[], expected?: number): Promise<void>
  /** What a command answers as JSON, shown to nobody. */
  ask<T>(args: readonly string[]): Promise<T>
  close(): void
}

export function openStage({ io, errStyle, options, program }: Session): Stage {
  const folder = mkdtempSync(join(tmpdir(), 'custody-demo-'))
  const env = { ...io.env, CUSTODY_DATABASE: join(folder, 'demo.db'), XDG_STATE_HOME: folder }
  const inFolder = { ...io, cwd: folder, env }
  const common = [...(options.color === false ? ['--no-color'] : []), ...(options.debug ? ['--debug'] : [])]
  return {
    folder,
    write: (file, text) => writeFileSync(join(folder, file), text),
    say: (text, title) => {
      const heading = title === undefined ? '' : `${errStyle.bold(errStyle.cyan(title))}\n`
      io.out.write(`\n${heading}${text}\n`)
    },
    async run(args, expected = 0) {
      io.out.write(`\n${errStyle.dim('$')} ${errStyle.bold(`custody ${args.map(quoted).join(' ')}`)}\n`)
      const code = await program.run([...args, ...common], inFolder)
      if (code !== expected) throw new Error(`custody ${args.join(' ')} ended with ${code}, not ${expected}`)
    },
    async ask<T>(args: readonly string[]) {
      let text = ''
      const collect = (part: string): void => {
        text += part
      }
      const out = { write: collect, isTerminal: false, columns: () => 80 }
      const err = { ...out, write: () => {} }
      const code = await program.run([...args, '--json'], { ...inFolder, out, err })
      if (code !== 0) throw new Error(`custody ${args.join(' ')} ended with ${code}`)
      return JSON.parse(text) as T
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
