import { CommanderError } from 'commander'
import { canonicalQid } from '../../domain/items/qid.ts'
import { type CliError, didYouMean, exitCodeOf, usage } from '../base/cli-error.ts'
import { failureOf, noSandboxHint, notFoundHint } from '../base/failure.ts'
import { BrokenPipe, type Io } from '../base/io.ts'
import { plainStyle, styleFor } from '../base/style.ts'
import { fitTo } from '../output/fit-to.ts'
import { reportFailure } from './report-failure.ts'

/** Every argument of these commands is meant as a QID. */
const commandsOfItems = ['items show', 'sandbox advance', 'transfers request']

/** Returns the exit code; printing help or the version is not a failure. */
export async function endWithError(
  error: unknown,
  args: readonly string[],
  words: readonly string[],
  io: Io,
): Promise<number> {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodeOf('ok')
  if (error instanceof BrokenPipe) return exitCodeOf('ok')
  const failure = failureOf(error instanceof CommanderError ? asUsage(error, words) : error)
  if (failure.hint === notFoundHint) {
    failure.hint = mistypedQidHint(args, words) ?? (words[0] === 'sandbox' ? noSandboxHint : notFoundHint)
  }
  if (failure.code === 'internal_error') {
    const { saveFault } = await import('../doctor/last-fault.ts')
    saveFault(io, ['custody', ...words].join(' '), failure)
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
    await reportFailure(failure, { err: { ...io.err, write } }, ['custody', ...words].join(' '), {
      isJson,
      ...(isLog && { logTime: new Date(io.now()).toISOString() }),
      isDebug,
      style,
    })
  } catch {
    // stderr is closed or full; the exit code still reports the fault.
  }
  return exitCodeOf(failure.ending)
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

function asUsage(error: CommanderError, words: readonly string[]): CliError {
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
  const [, valued] = /^unknown option '(--[\w-]+)=/.exec(message) ?? []
  const suggestion =
    rest.join(' ').replace(/^\((.*)\)$/, '$1') || (valued && `Does ${valued} take a value? ${help}`)
  return usage(`${message.replace(/\.$/, '')}.`, suggestion || help)
}

/** Suggests the choice that was probably meant; commander would list all. */
function wrongChoice(message: string): CliError | undefined {
  const [problem, list] = partsAround(message, '. Allowed choices are ')
  const [argument, name] = partsAround(problem, "' is invalid for argument '")
  const [, flags, value = ''] = /^option '([^']*)' argument '(.*)$/s.exec(problem) ?? []
  const what = flags === undefined ? name.slice(0, -1) : /--[\w-]+/.exec(flags)?.[0]
  if (list === '' || !what) return undefined
  const given =
    flags === undefined
      ? argument.slice("command-argument value '".length)
      : partsAround(value, "' is invalid")[0]
  const choices = list.replace(/\.$/, '').split(', ')
  return usage(
    `${what}: "${given}" is not one of ${choices.join(', ')}.`,
    didYouMean(given, choices, undefined),
  )
}

/** Splits at the last `mark`, since what a user typed may contain one; without a mark, the second part is empty. */
function partsAround(text: string, mark: string): [string, string] {
  const at = text.lastIndexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)]
}

/** Searches the words directly, since parsing them may have failed. */
function asksForJson(args: readonly string[]): boolean {
  return args.some((word, index) => {
    if (word === '--json' || /^(--output=|-o)(nd)?json$/.test(word)) return true
    return /^(-o|--output)$/.test(args[index - 1] ?? '') && /^(nd)?json$/.test(word)
  })
}
