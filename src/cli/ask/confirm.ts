import type { Command } from 'commander'
import { Declined, usage } from '../base/cli-error.ts'
import { visible } from '../base/terminal-text.ts'
import type { Session } from '../command.ts'

export function confirmable(command: Command): Command {
  return command.option('-y, --yes', 'Do not ask')
}

/**
 * Asks before an irreversible change. `announce` names the target first, even with --yes: the operator must see whether it
 * is production. Throws `interrupted` on no; without a terminal, `usage` naming --yes (decisions 11).
 */
export async function confirm(session: Session, question: string, announce?: () => unknown): Promise<void> {
  const isAnswered = session.options.yes === true
  if (!isAnswered && !canAsk(session))
    throw usage(`This needs confirmation: ${question}`, 'Confirm with --yes.')
  await announce?.()
  if (isAnswered) return
  const isYes = await isAnsweredYes(question, false)
  if (!isYes) throw new Declined()
}

/** `likely`: the answer if only Enter is pressed. */
export async function isAnsweredYes(question: string, likely: boolean): Promise<boolean> {
  const prompts = await import('@inquirer/prompts')
  return prompts.confirm({ message: visible(question), default: likely }, { output: process.stderr })
}

export function canAsk({ io, options }: Pick<Session, 'io' | 'options'>): boolean {
  return options.input !== false && io.stdin.isTerminal && io.err.isTerminal
}
