import { exitCodeOf } from '../base/cli-error.ts'
import type { Style } from '../base/colours.ts'
import type { Failure } from '../base/failure.ts'
import type { Io } from '../base/io.ts'
import { jsonText, visible } from '../base/terminal-text.ts'

type ReportOptions = {
  isJson: boolean
  /** The time of a line in the service's log. */
  logTime?: string | undefined
  isDebug: boolean
  style: Style
}

export async function reportFailure(
  given: Failure,
  io: Pick<Io, 'err'>,
  what: string,
  options: ReportOptions,
): Promise<void> {
  const { message, hint } = given
  const fields = new Map<string, string[]>()
  for (const [name, texts] of Object.entries(given.fields)) {
    const short = cut(name, wordMax)
    fields.set(short, [...(fields.get(short) ?? []), ...texts.map(brief)])
  }
  const failure: Failure = {
    ...given,
    message: brief(message),
    hint: hint === undefined ? hint : brief(hint),
    fields: Object.fromEntries(fields),
  }
  const { isJson, logTime } = options
  const text = logTime
    ? `${jsonText(logged(failure, logTime))}\n`
    : isJson
      ? `${jsonText(errorObject(failure))}\n`
      : await failureText(failure, what, options)
  io.err.write(text)
}

const wordMax = 300
const textMax = 2_000

/** Names come from files and services: a name of 64 KiB would bury the message. */
function brief(text: string): string {
  const words = text.split(' ').map((word) => cut(word, wordMax))
  return cut(words.join(' '), textMax)
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}...` : text
}

async function failureText(
  failure: Failure,
  what: string,
  { isDebug, style }: ReportOptions,
): Promise<string> {
  const { message, hint, requestId, stack, isDeclined } = failure
  if (isDeclined) return `${message}\n`
  const why = visible(hint === undefined ? message : `${message} ${hint}`)
  const lines = [`${style.red(style.bold(`${what}:`))} ${why}`, ...(await fieldLines(failure, style))]
  // The id is the only way to find the fault in the service's log.
  const isFault = failure.code === 'internal_error'
  if ((isDebug || isFault) && requestId !== undefined) lines.push(`request id: ${visible(requestId)}`)
  if (isDebug && stack !== undefined) lines.push(stack)
  return `${lines.join('\n')}\n`
}

/** Omits fields whose problem the message already states. */
async function fieldLines({ fields, message }: Failure, style: Style): Promise<string[]> {
  const lines = Object.entries(fields)
    .flatMap(([field, problems]) => problems.map((text) => [visible(field), visible(text)] as const))
    .filter(([field, text]) => !message.includes(text) || !(message.includes(field) || field === 'file'))
  if (lines.length === 0) return []
  const { aligned } = await import('../output/table.ts')
  const cells = lines.map(([field, text]) => [style.bold(field), text])
  return [aligned(cells, { indent: '  ' }).trimEnd()]
}

function logged(failure: Failure, time: string): Record<string, unknown> {
  const { message: msg, ...rest } = errorObject(failure)
  return { level: 'error', time, ...rest, msg }
}

function errorObject({
  code,
  message,
  hint,
  extra,
  fields,
  ending,
  requestId,
}: Failure): Record<string, unknown> {
  return {
    code,
    message,
    extra: { ...extra, ...(Object.keys(fields).length > 0 && { fields }) },
    exit_code: exitCodeOf(ending),
    ...(hint !== undefined && { hint }),
    ...(requestId !== undefined && { request_id: requestId }),
  }
}
