import { readFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { CliError, usage } from '../base/cli-error.ts'
import { appendToFile, asUmask, makeFolder, replaceFile } from '../base/durable-file.ts'
import type { Io } from '../base/io.ts'
import { faultText } from '../base/system-fault.ts'
import { completionScript, type Shell, shells } from './scripts.ts'

type Env = Io['env']

const newline = 0x0a

/** `isWhole`: the file is custody's own. */
type Place = { file: string; isWhole?: true; text: string }

/** Returns what to print. Throws `usage` for an unknown shell, `unreachable` if the file cannot be written. */
export function installCompletion(env: Env, wanted: string | undefined): string {
  const shell = shellFrom(env, wanted)
  const { file, text, isWhole } = placeOf(env, shell)
  try {
    const before = bytesOf(file)
    if (isWhole ? before.equals(Buffer.from(text)) : before.includes(`<(custody completion ${shell})`))
      return `Already installed: ${file}`
    makeFolder(dirname(file))
    // The shell's own file belongs to the user: its other lines and its permissions stay as they are.
    if (isWhole) replaceFile(file, text, asUmask)
    else appendToFile(file, [undefined, newline].includes(before.at(-1)) ? text : `\n${text}`)
  } catch (error) {
    throw new CliError('unreachable', `${file} cannot be read and written: ${faultText(error)}.`)
  }
  return `Wrote ${isWhole ? file : `to ${file}: ${text.trim()}`}\nNew shells complete custody commands.`
}

function shellFrom({ SHELL }: Env, wanted: string | undefined): Exclude<Shell, 'powershell'> {
  const name = wanted ?? basename(SHELL ?? '')
  const shell = shells.find((known) => known === name)
  if (shell === 'bash' || shell === 'zsh' || shell === 'fish') return shell
  const hint =
    'Name it, as in: custody completion install bash; for other shells, see: custody completion --help'
  if (name === '') throw usage('SHELL is not set, so custody does not know your shell.', hint)
  throw usage(`custody cannot install completion for ${name}.`, hint)
}

function placeOf(env: Env, shell: Exclude<Shell, 'powershell'>): Place {
  switch (shell) {
    case 'bash':
      return { file: join(homeOf(env), '.bashrc'), text: lineFor('bash') }
    case 'zsh':
      return { file: join(env.ZDOTDIR || homeOf(env), '.zshrc'), text: lineFor('zsh') }
    case 'fish': {
      const named = env.XDG_CONFIG_HOME
      const folder = named && isAbsolute(named) ? named : join(homeOf(env), '.config')
      const file = join(folder, 'fish', 'completions', 'custody.fish')
      return { file, isWhole: true, text: completionScript('fish') }
    }
  }
}

/** Prints no error in a shell that cannot find custody, for example if the user runs it with npx. */
function lineFor(shell: 'bash' | 'zsh'): string {
  return `command -v custody >/dev/null && source <(custody completion ${shell})\n`
}

function homeOf({ HOME }: Env): string {
  if (HOME && isAbsolute(HOME)) return HOME
  throw new CliError('unreachable', 'You have no home folder.', { hint: 'Set HOME.' })
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}
