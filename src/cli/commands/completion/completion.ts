import { Argument } from 'commander'
import { usage } from '../../base/cli-error.ts'
import type { CommandFile, Session } from '../../command.ts'
import { completionScript, type Shell, shells } from '../../completion/scripts.ts'

export const command: CommandFile<[Shell | 'install', string | undefined]> = {
  summary: 'complete custody in a shell: print the script, or install it',
  details:
    'Commands, flags, statuses, event types, columns, names of profiles and files, references and QIDs. install adds the line to ' +
    "~/.bashrc or ~/.zshrc, or writes fish's own file, for the shell named or the one in SHELL.",
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
      .addArgument(new Argument('<shell>', 'which shell, or install').choices([...shells, 'install']))
      .argument('[for]', 'with install: which shell (default: the one in SHELL)'),
  isOffline: true,
  isPlain: true,
  run,
}

async function run(session: Session, shell: Shell | 'install', wanted: string | undefined): Promise<void> {
  if (shell !== 'install') {
    if (wanted !== undefined) throw usage(`"${wanted}" means nothing here.`, 'See: custody completion --help')
    session.io.out.write(completionScript(shell))
    return
  }
  const { installCompletion } = await import('../../completion/install.ts')
  session.notice(installCompletion(session.io.env, wanted))
}
