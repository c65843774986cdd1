import { Argument } from 'commander'
import { usage } from '../../base/cli-error.ts'
import type { LoneCommand } from '../../command.ts'
import { candidates, type Word } from '../../completion/candidates.ts'
import { completionScript, type Shell, shells } from '../../completion/scripts.ts'

export const completion: LoneCommand<[Shell | 'install', string | undefined]> = {
  details:
    'Completes commands, flags, statuses, event types, columns, profiles, files, references, and QIDs. install adds a line to ~/.bashrc or ~/.zshrc, or writes a file for fish, for the named shell or the one in SHELL.',
  examples: [
    'completion install',
    'completion install zsh',
    'completion bash > ~/.local/share/bash-completion/completions/custody',
    'completion zsh > ~/.zfunc/_custody',
    'completion fish > ~/.config/fish/completions/custody.fish',
    'completion powershell | Out-String | Invoke-Expression',
  ],
  define: (completion) =>
    completion
      .addArgument(new Argument('<shell>', 'A shell, or install').choices([...shells, 'install']))
      .argument('[for]', 'Shell for install (default: the one in SHELL)'),
  isOffline: true,
  isPlain: true,
  async run(session, shell, wanted) {
    if (shell !== 'install') {
      if (wanted !== undefined)
        throw usage(`"${wanted}" is not a shell that custody knows.`, 'See: custody completion --help')
      session.io.out.write(completionScript(shell))
      return
    }
    const { installCompletion } = await import('../../completion/install.ts')
    session.notice(installCompletion(session.io.env, wanted))
  },
}

/** Called by the scripts of `custody completion`, not by people. */
export const complete: LoneCommand<[string[]]> = {
  examples: [],
  define: (complete) => complete.argument('[words...]', 'The words so far; the last one begins with a dot'),
  isOffline: true,
  isPlain: true,
  async run(session, words) {
    const current = (words.at(-1) ?? '.').replace(/^\./, '')
    const found = await candidates(session, words.slice(0, -1), current)
    const lines = found.words.map(lineOf)
    if (found.isOpen) lines.push(':open')
    if (found.files) lines.push(':files')
    session.io.out.write(lines.map((line) => `${line}\n`).join(''))
  },
}

function lineOf({ word, about }: Word): string {
  return `${word}\t${about.replaceAll(/\s+/g, ' ')}`
}
