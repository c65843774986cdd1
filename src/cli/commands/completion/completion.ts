import { Argument } from 'commander'
import { usage } from '../../base/cli-error.ts'
import type { CommandFile } from '../../command.ts'
import { completionScript, type Shell, shells } from '../../completion/scripts.ts'

export const command: CommandFile<[Shell | 'install', string | undefined]> = {
  summary: 'Print or install the completion script of a shell',
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
