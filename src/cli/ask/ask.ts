import type { Command } from 'commander'
import { Declined, usage } from '../base/cli-error.ts'
import { holdsSecret, withoutKeys } from '../base/rejected-secrets.ts'
import { visible } from '../base/terminal-text.ts'
import type { Session } from '../command.ts'
import { fitTo } from '../output/fit-to.ts'

/** `likely`: the default answer. `fault`: why an answer is not accepted. */
type Question = {
  flag: string
  message: string
  likely?: string
  fault?: (answer: string) => string | undefined
}

/** Without a terminal to ask on, throws `usage` naming the flag. */
export async function askText(session: Session, question: Question): Promise<string> {
  const { flag, message, likely, fault } = question
  const validate = (answer: string) =>
    validation(answer, (text) =>
      holdsSecret(text) ? 'is an API key, which custody asks for separately' : fault?.(text),
    )
  // A key pasted at the wrong question must not stay on the screen.
  const shown = { message, required: true, transformer: withoutKeys, validate }
  const given = likely === undefined ? shown : { ...shown, default: visible(likely) }
  const answer = await ask(session, flag, ({ input }, context) => input(given, context))
  return answer.trim()
}

export function askSecret(session: Session, { flag, message, fault }: Question): Promise<string> {
  const validate = (answer: string) => validation(answer, fault)
  return ask(session, flag, ({ password }, context) => password({ message, mask: '*', validate }, context))
}

export async function askChoice<T extends string>(
  session: Session,
  { flag, message }: Question,
  choices: Readonly<Record<T, string>>,
): Promise<T> {
  const offered = Object.entries<string>(choices).map(([value, name]) => ({ value: value as T, name }))
  const fitted = await fitTo(session.io.err, mark.length)
  const asked = { message: fitted(message), choices: offered }
  return ask(session, flag, ({ select }, context) => select(asked, context))
}

function validation(answer: string, faultOf: Question['fault']): true | string {
  const fault = answer.trim() === '' ? 'is required' : faultOf?.(answer.trim())
  return fault === undefined ? true : `This ${fault}.`
}

export function confirmable(command: Command): Command {
  return command.option('-y, --yes', 'Do not ask')
}

/** Names the target first, even with --yes. Throws `interrupted` on no; without a terminal, `usage` naming --yes (decisions 11). */
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
  const fitted = await fitTo(session.io.err, mark.length + ' (y/N) '.length)
  const asked = { message: fitted(visible(question)), default: likely }
  return ask(session, '--yes', ({ confirm }, context) => confirm(asked, context))
}

/** The prompt prints it before a question, and would break a long line in the middle of a word. */
const mark = '? '

type Prompts = typeof import('@inquirer/prompts')
type Context = { output: NodeJS.WriteStream; signal: AbortSignal }

/** Ctrl-D closes the input without an answer. The prompt would wait for one as long as a connection keeps the process running. */
async function ask<T>(
  session: Session,
  flag: string,
  put: (prompts: Prompts, context: Context) => Promise<T>,
): Promise<T> {
  if (!canAsk(session)) throw usage(`${flag} is required.`, `See: ${session.commandName} --help`)
  const prompts = await import('@inquirer/prompts')
  const closed = new AbortController()
  const close = (): void => closed.abort()
  const signal = AbortSignal.any([closed.signal, session.io.readsEnd?.() ?? []].flat())
  process.stdin.once('pause', close)
  try {
    return await put(prompts, { output: process.stderr, signal })
  } finally {
    process.stdin.off('pause', close)
  }
}

export function canAsk({ io, options }: Pick<Session, 'io' | 'options'>): boolean {
  return !options.noInput && io.stdin.isTerminal && io.err.isTerminal
}
