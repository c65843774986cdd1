import type { Command } from 'commander'
import { Declined, usage } from '../base/cli-error.ts'
import { holdsSecret, withoutKeys } from '../base/rejected-secrets.ts'
import { visible } from '../base/terminal-text.ts'
import type { Session } from '../command.ts'

/** `likely`: the default answer. `fault`: why an answer is not accepted. */
type Question = {
  flag: string
  message: string
  likely?: string
  fault?: (answer: string) => string | undefined
}

/** Without a terminal to ask on, throws `usage` naming the flag. */
export async function askText(session: Session, question: Question): Promise<string> {
  rejectUnattended(session, question.flag)
  const { input } = await import('@inquirer/prompts')
  const { message, likely, fault } = question
  const asked: Parameters<typeof input>[0] = {
    message,
    required: true,
    ...(likely !== undefined && { default: visible(likely) }),
    // A key pasted at the wrong question must not stay on the screen.
    transformer: withoutKeys,
    validate: (answer) =>
      validation(answer, (text) =>
        holdsSecret(text) ? 'is an API key, which custody asks for separately' : fault?.(text),
      ),
  }
  const answer = await inTerminal(session, (context) => input(asked, context))
  return answer.trim()
}

export async function askSecret(session: Session, { flag, message, fault }: Question): Promise<string> {
  rejectUnattended(session, flag)
  const { password } = await import('@inquirer/prompts')
  const validate = (answer: string) => validation(answer, fault)
  return inTerminal(session, (context) => password({ message, mask: '*', validate }, context))
}

export async function askChoice<T extends string>(
  session: Session,
  { flag, message }: Question,
  choices: Readonly<Record<T, string>>,
): Promise<T> {
  rejectUnattended(session, flag)
  const { select } = await import('@inquirer/prompts')
  const offered = Object.entries<string>(choices).map(([value, name]) => ({ value: value as T, name }))
  return inTerminal(session, (context) => select({ message, choices: offered }, context))
}

function rejectUnattended(session: Session, flag: string): void {
  if (!canAsk(session)) throw usage(`${flag} is required.`, `See: ${session.commandName} --help`)
}

function validation(answer: string, faultOf: Question['fault']): true | string {
  const fault = answer.trim() === '' ? 'is required' : faultOf?.(answer.trim())
  return fault === undefined ? true : `This ${fault}.`
}

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
  const isYes = await isAnsweredYes(session, question, false)
  if (!isYes) throw new Declined()
}

/** `likely`: the answer if only Enter is pressed. */
export async function isAnsweredYes(session: Session, question: string, likely: boolean): Promise<boolean> {
  const prompts = await import('@inquirer/prompts')
  const asked = { message: visible(question), default: likely }
  return inTerminal(session, (context) => prompts.confirm(asked, context))
}

/** Ctrl-D closes the input without an answer, for which a prompt waits as long as a connection keeps the process running. */
async function inTerminal<T>(
  { io }: Session,
  ask: (context: { output: NodeJS.WriteStream; signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const closed = new AbortController()
  const close = (): void => closed.abort()
  const signal = AbortSignal.any([closed.signal, io.readsEnd?.() ?? []].flat())
  process.stdin.once('pause', close)
  try {
    return await ask({ output: process.stderr, signal })
  } finally {
    process.stdin.off('pause', close)
  }
}

export function canAsk({ io, options }: Pick<Session, 'io' | 'options'>): boolean {
  return !options.noInput && io.stdin.isTerminal && io.err.isTerminal
}
