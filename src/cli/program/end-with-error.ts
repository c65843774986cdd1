import { CommanderError } from 'commander'
import { canonicalQid } from '../../domain/items/qid.ts'
import { type CliError, didYouMean, type Ending, exitCodes, notOneOf, usage } from '../base/cli-error.ts'
import { type Failure, failureOf, missingHint } from '../base/failure.ts'
import { BrokenPipe, type Io } from '../base/io.ts'
import { plainStyle, type Style, styleFor } from '../base/style.ts'
import { jsonText, shortWords, visible } from '../base/terminal-text.ts'
import type { Session } from '../command.ts'
import { fitTo } from '../output/fit-to.ts'

/** Every argument of these commands is meant as a QID. */
const commandsOfItems = ['items show', 'sandbox advance', 'transfers request']

const inputEndings: readonly Ending[] = ['usage', 'invalid', 'interrupted']

/** Returns the exit code; printing help or the version is not a failure. */
export async function endWithError(
  error: unknown,
  args: readonly string[],
  words: readonly string[],
  { io, session, flags }: { io: Io; session?: Pick<Session, 'answerFault'>; flags?: readonly string[] },
): Promise<number> {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok
  if (error instanceof BrokenPipe) return exitCodes.ok
  let failure = failureOf(error instanceof CommanderError ? asUsage(error, words, flags) : error)
  if (failure.ending === 'internal') {
    const fault = await session?.answerFault()
    if (fault !== undefined) failure = { ...failureOf(fault), stack: failure.stack }
  }
  const commandName = ['custody', ...words].join(' ')
  const advice = missingHint(error, commandName)
  if (advice) failure.hint ??= mistypedQidHint(args, words) ?? advice
  if (!inputEndings.includes(failure.ending)) {
    const { saveFault } = await import('../doctor/last-fault.ts')
    saveFault(io, commandName, { ...failure, message: brief(failure.message) })
  }
  const isLog = words[0] === 'serve' && !io.err.isTerminal
  const isJson = isLog || asksForJson(args)
  const style = isJson
    ? plainStyle
    : await styleFor(io.err, args.includes('--no-color') ? { ...io.env, NO_COLOR: '1' } : io.env)
  const isDebug = args.includes('--debug')
  try {
    const fitted = await fitTo(io.err)
    const write = (text: string): void => io.err.write(isJson ? text : fitted(text))
    await reportFailure(failure, { err: { ...io.err, write } }, commandName, {
      isJson,
      ...(isLog && { logTime: new Date(io.now()).toISOString() }),
      isDebug,
      style,
      args,
    })
  } catch {
    // stderr is closed or full; the exit code still reports the fault.
  }
  return exitCodes[failure.ending]
}

/** A QID ends with a check character, which tells a typing mistake from an item that is not held (decisions 2). */
function mistypedQidHint(args: readonly string[], words: readonly string[]): string | undefined {
  const isOfItems = commandsOfItems.includes(words.join(' '))
  const isArgument = (at: number): boolean => isOfItems && args[at - 1] === words[1]
  const isMeant = (word: string, at: number): boolean =>
    /^q-/i.test(word) || (isArgument(at) && !word.startsWith('-'))
  const mistyped = args.find((word, at) => isMeant(word, at) && canonicalQid(word) === null)
  if (mistyped === undefined) return undefined
  return `"${mistyped}" is not a QID: a character is wrong or missing.`
}

function asUsage(error: CommanderError, words: readonly string[], flags: readonly string[] = []): CliError {
  const help = `See: ${['custody', ...words].join(' ')} --help`
  if (error.code === 'commander.help') return usage('a command is missing.', help)
  // A query may begin with a comment.
  if (/^error: unknown option '-[^'=]*\s/.test(error.message))
    return usage(
      'a text that begins with - is read as an option.',
      `Write -- before it: ${['custody', ...words].join(' ')} -- "..."`,
    )
  const [message = '', ...rest] = error.message.replace(/^error: /, '').split('\n')
  const choice = wrongChoice(message)
  if (choice !== undefined) return choice
  if (words[0] === 'manifests' && message === "unknown command 'import'")
    return usage(`${message}.`, 'Did you mean submit?')
  const [, flag] = /^unknown option '(--[\w-]+)/.exec(message) ?? []
  const ofFlag = flag !== undefined && flags.includes(flag) ? `Does ${flag} take a value? ${help}` : undefined
  const suggestion =
    flag === undefined
      ? rest.join(' ').replace(/^\((.*)\)$/, '$1')
      : (ofFlag ?? elsewhere(flag, words, flags) ?? didYouMean(flag, flags, help))
  return usage(`${message.replace(/\.$/, '')}.`, suggestion || help)
}

/** What to do here in place of a flag that only other commands have. */
function elsewhere(flag: string, words: readonly string[], flags: readonly string[]): string | undefined {
  if (flag.startsWith('--api-key-'))
    return 'Only custody init has it: set CUSTODY_API_KEY or CUSTODY_API_KEY_FILE.'
  if (flag !== '--profile' && flag !== '--base-url') return undefined
  if (words[0] === 'init') return 'Name the profile with --name.'
  return flags.includes('--database') ? 'Name the database with --database.' : undefined
}

/** What a user typed may contain these words too, so the last ones count. */
const wrongValue = /^option '([^']*)' argument '(.*)' is invalid\. Allowed choices are (.*)$/s
const wrongArgument =
  /^command-argument value '(.*)' is invalid for argument '(\w+)'\. Allowed choices are (.*)$/s

/** Suggests the choice that was probably meant; commander would list all. */
function wrongChoice(message: string): CliError | undefined {
  const among = (what: string, given: string, list: string): CliError =>
    notOneOf(what, given, list.replace(/\.$/, '').split(', '))
  const [, flags = '', value = '', choices] = wrongValue.exec(message) ?? []
  if (choices) return among(/--[\w-]+/.exec(flags)?.[0] ?? flags, value, choices)
  const [, word = '', name = '', words] = wrongArgument.exec(message) ?? []
  return words ? among(name, word, words) : undefined
}

function asksForJson(args: readonly string[]): boolean {
  return args.some((word, index) => {
    if (word === '--json' || /^(--output=|-o)(nd)?json$/.test(word)) return true
    return /^(-o|--output)$/.test(args[index - 1] ?? '') && /^(nd)?json$/.test(word)
  })
}

type ReportOptions = {
  isJson: boolean
  logTime?: string | undefined
  isDebug: boolean
  style: Style
  args?: readonly string[]
}

export async function reportFailure(
  given: Failure,
  io: Pick<Io, 'err'>,
  what: string,
  options: ReportOptions,
): Promise<void> {
  const { message, hint } = given
  const { isJson, logTime, args = [] } = options
  const named = (path: string): string => cut(isJson ? path : flagOrPath(path, args), wordMax)
  const fields = Map.groupBy(Object.entries(given.fields), ([path]) => named(path))
  const inWords = message.replaceAll(/[^ ]+?(?=[.,]?(?: |$))/g, (word) =>
    Object.hasOwn(given.fields, word) ? named(word) : word,
  )
  const failure: Failure = {
    ...given,
    message: brief(inWords),
    hint: hint === undefined ? hint : brief(hint),
    fields: Object.fromEntries(
      [...fields].map(([name, all]) => [name, all.flatMap(([, texts]) => texts.map(brief))]),
    ),
  }
  const text = logTime
    ? `${jsonText(logged(failure, logTime))}\n`
    : isJson
      ? `${jsonText(errorObject(failure))}\n`
      : await failureText(failure, what, options)
  io.err.write(text)
}

/** Names a field by the flag that gave it: `--state` for `shipping_address.state`. */
function flagOrPath(path: string, args: readonly string[]): string {
  const name = `-${path.replace('to_status', 'to').replaceAll(/s?\[\d+\]|s?\.|_|$/g, '-')}`
  const flags = args.flatMap((word) => /^--\w[\w-]*/.exec(word) ?? [])
  const fitting = flags.filter((flag) => name.includes(`${flag.slice(1)}-`))
  return fitting.sort((one, other) => other.length - one.length)[0] ?? path
}

const wordMax = 300
const textMax = 2_000

function brief(text: string): string {
  return cut(shortWords(text), textMax)
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

function errorObject(failure: Failure): Record<string, unknown> {
  const { code, message, hint, extra, fields, ending, requestId } = failure
  return {
    code,
    message,
    extra: { ...extra, ...(Object.keys(fields).length > 0 && { fields }) },
    exit_code: exitCodes[ending],
    ...(hint !== undefined && { hint }),
    ...(requestId !== undefined && { request_id: requestId }),
  }
}
