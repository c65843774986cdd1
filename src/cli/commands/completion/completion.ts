import { Argument } from 'commander'
import type { CommandFile, Session } from '../../command.ts'
import { completionScript, type Shell, shells } from '../../completion/scripts.ts'

export const command: CommandFile<[Shell]> = {
  summary: 'print the script that completes custody in a shell',
  details: 'Commands, flags, statuses, event types, names of profiles and files.',
  examples: [
    'completion bash > ~/.local/share/bash-completion/completions/custody',
    'completion zsh > ~/.zfunc/_custody',
    'completion fish > ~/.config/fish/completions/custody.fish',
    'completion powershell | Out-String | Invoke-Expression',
  ],
  define: (completion) => completion.addArgument(new Argument('<shell>', 'which shell').choices(shells)),
  isOffline: true,
  isPlain: true,
  run,
}

async function run(session: Session, shell: Shell): Promise<void> {
  session.io.out.write(completionScript(shell))
}
