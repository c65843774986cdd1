import { Command, Help, type Option } from 'commander'
import { own } from '../../contract/own.ts'
import { exitCodes, usage } from '../base/cli-error.ts'
import type { Io } from '../base/io.ts'
import { passwordWarning, rejectSecrets } from '../base/rejected-secrets.ts'
import type { CommandFile, CommonOptions, Group, Outcome, Session } from '../command.ts'
import { addCommonOptions, namedBy, orderArguments } from '../command-line/argv.ts'
import { formatOf } from '../output/format.ts'
import { openSession } from '../session.ts'
import { everyday, nouns } from './commands.ts'

const description = 'Custody of graded slabs and catalog products: follow what the warehouse holds for you.'

/** Returns the exit code; never throws. Drops the spaces and line ends that scripts pass on, unless a value would become a flag. */
export async function runCli(given: readonly string[], io: Io): Promise<number> {
  const args = given.map((word) => word.trimEnd().replace(/^(--[\w-]+=)?\s+(?![\s-])/, '$1'))
  // Without arguments, a person sees what needs attention; a script gets help, as always.
  const ordered = args.length === 0 && io.out.isTerminal ? ['status'] : orderArguments(args)
  const isHelp = ordered[0] === 'help'
  const { words, load } = namedBy(ordered, nouns)
  const run: Run = { io, outcome: undefined }
  try {
    rejectSecrets(args)
    const warning = passwordWarning(args)
    // `serve` logs JSON from its first line.
    if (warning !== undefined && words[0] !== 'serve') io.err.write(`Warning: ${warning}\n`)
    if (isHelp) return await printHelp(ordered.slice(1), io)
    const program = await buildProgram(words, run)
    const isGroup = load === undefined && words.length === ordered.length
    // Otherwise --help after an unknown command would show the help of its group.
    const isUnknown = load === undefined && !ordered[words.length]?.startsWith('-')
    if (isGroup) program.parse([...ordered, '--help'], { from: 'user' })
    else await program.parseAsync(isUnknown ? ordered.slice(0, words.length + 1) : ordered, { from: 'user' })
    return exitCodes[run.outcome ?? 'ok']
  } catch (error) {
    const { endWithError } = await import('./end-with-error.ts')
    // Words after `help` are not parsed yet and may contain a secret, which must not be repeated.
    return endWithError(error, ordered, isHelp ? ['help'] : words, run)
  }
}

type Run = { io: Io; outcome: Outcome; session?: Session; flags?: string[] }

/** Defines only what the words name, because every other command and option would slow down the start. */
async function buildProgram(words: readonly string[], run: Run): Promise<Command> {
  const { io } = run
  const program = new Command('custody')
    .description(description)
    .version(CUSTODY_VERSION, '-V, --version', 'Show the version')
  program.helpCommand(false).showSuggestionAfterError().exitOverride().configureHelp(helpFormat())
  program.helpOption('-h, --help', 'Show help')
  program.configureOutput({
    writeOut: (text) => io.out.write(text),
    // `reportFailure` prints the error, once.
    writeErr: () => {},
    getOutHelpWidth: () => io.out.columns(),
    getOutHasColors: () => false,
  })
  const [noun] = words
  const chosen = noun === undefined ? undefined : own(nouns, noun)
  if (noun === undefined || chosen === undefined) listNouns(program)
  else if ('load' in chosen)
    addLeaf(program, [noun], { ...(await chosen.load()).command, summary: chosen.summary }, run)
  else await addGroup(program, [noun], words.slice(1), chosen, run)
  return program
}

function listNouns(program: Command): void {
  for (const [name, { summary, isHidden }] of Object.entries(nouns)) {
    const group = everyday.has(name) ? 'Every day:' : 'Set-up and warehouse:'
    program
      .command(name, { hidden: isHidden === true })
      .summary(summary)
      .helpGroup(group)
  }
  program
    .command('help')
    .helpGroup('Set-up and warehouse:')
    .summary('Show help for a command, as in `custody help items ls`')
  addExamples(program, ['demo', 'items ls', 'manifests submit po-7.csv --reference PO-7 --dry-run'])
  program.addHelpText(
    'after',
    '\nHelp for each: custody <command> --help. New here: custody demo\nTopics: custody help imports, output, targets, unattended, exit-codes, glossary\nSomething wrong? custody bug gathers what a report needs.',
  )
}

/** Defines only the command `wanted`, or all if it is undefined. Returns an example of each. */
async function addGroup(
  parent: Command,
  words: readonly string[],
  [wanted, ...rest]: readonly string[],
  { summary, verbs }: Group,
  run: Run,
): Promise<string[]> {
  const group = parent.command(words.at(-1) ?? '').summary(summary)
  group.description(sentence(summary)).helpCommand(false).helpOption('-h, --help', 'Show help')
  const examples: string[] = []
  for (const [verb, known] of Object.entries(verbs)) {
    if (wanted !== undefined && wanted !== verb) continue
    if (typeof known === 'function') {
      const { command } = await known()
      addLeaf(group, [...words, verb], command, run)
      examples.push(...command.examples.slice(0, 1))
    } else examples.push(...(await addGroup(group, [...words, verb], rest, known, run)).slice(0, 1))
  }
  addExamples(group, examples)
  return examples
}

function addLeaf(parent: Command, words: readonly string[], file: CommandFile<never[]>, run: Run): void {
  const leaf = parent.command(words.at(-1) ?? '').summary(file.summary)
  leaf.description([sentence(file.summary), file.details].filter(Boolean).join('\n\n'))
  file.define?.(leaf)
  addCommonOptions(leaf, file)
  checkValues(leaf)
  run.flags = leaf.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []))
  addExamples(leaf, file.examples)
  leaf.action(async (...given: unknown[]) => {
    const args = given.slice(0, -1)
    const options = args.at(-1) as CommonOptions
    const session = await openSession({
      io: options.quiet ? { ...run.io, isQuiet: true } : run.io,
      program: { nouns, run: runCli },
      options,
      commandName: ['custody', ...words].join(' '),
      view: viewOf(file as CommandFile, run.io, options, args),
    })
    run.session = session
    try {
      if (session.view) await session.printer()
      run.outcome = await (file as CommandFile).run(session, ...args)
    } finally {
      await session.close()
    }
  })
}

/** Throws `usage` if the output options do not fit. */
function viewOf(
  file: CommandFile,
  { out }: Io,
  options: CommonOptions,
  args: readonly unknown[],
): Session['view'] {
  if (file.isPlain) return undefined
  const format = formatOf(options, out.isTerminal)
  if (options.excel && format !== 'csv' && !file.writesCsv)
    throw usage('--excel is for CSV: add --output csv.')
  return file.view(format, ...args)
}

function addExamples(command: Command, lines: readonly string[]): void {
  const text = lines.map((line) => `  $ custody ${line}`).join('\n')
  if (lines.length > 0) examplesOf.set(command, `Examples:\n${text}\n`)
}

async function printHelp(given: readonly string[], io: Io): Promise<number> {
  const topic = given.filter((word) => !word.startsWith('-'))
  const { topicText } = await import('../output/help-topics.ts')
  const text = topic.length === 1 ? await topicText(topic[0] ?? '', io) : undefined
  if (text !== undefined) {
    io.out.write(text)
    return exitCodes.ok
  }
  return runCli([...topic, '--help'], io)
}

function sentence(summary: string): string {
  return `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`
}

/** Rejects a single-value flag given twice, an empty value, and a flag in place of a value. Throws `usage` during parsing. */
function checkValues(command: Command): void {
  const flags = new Set(['-h', '--help', ...command.options.flatMap(({ long, short }) => [long, short])])
  for (const option of command.options) {
    if (!option.required && !option.optional) continue
    let isGiven = false
    command.on(`option:${option.name()}`, (value: string | null) => {
      if (value !== null && flags.has(value))
        throw usage(`${option.flags} needs a value, and ${value} is a flag.`)
      if (value === '') throw usage(`${option.long} is empty: give it a value, or leave it out.`)
      const isGathered = Array.isArray(command.getOptionValue(option.attributeName()))
      if (!isGiven || isGathered) {
        isGiven = true
        return
      }
      const takesList = /separated by commas/.test(option.description)
      const [several = '.'] = /; for several.*/.exec(option.description) ?? []
      throw usage(
        `${option.long} is given more than once.`,
        takesList ? `Separate the values with commas: ${option.long} a,b` : `It takes one value${several}`,
      )
    })
  }
}

const examplesOf = new WeakMap<Command, string>()

/** Replaced by the examples after commander wraps the text, because wrapping would join their lines. */
const place = '\u0000'

/** Examples first, choices in plain words, and rarely needed options last in their group. */
function helpFormat(): Partial<Help> {
  const standard = new Help()
  return {
    commandDescription: (command: Command) => {
      const text = standard.commandDescription(command)
      return examplesOf.has(command) ? `${text}\n\n${place}` : text
    },
    formatHelp: (command: Command, helper: Help) =>
      Help.prototype.formatHelp
        .call(helper, command, helper)
        .replace(`${place}\n`, () => examplesOf.get(command) ?? ''),
    optionDescription: ({ description, argChoices }: Option) =>
      argChoices === undefined ? description : `${description}: ${argChoices.join(', ')}`,
    subcommandTerm: (command: Command) => standard.subcommandTerm(command).replace(' [options]', ''),
    visibleOptions: (command: Command) => {
      const options = standard.visibleOptions(command)
      return [...options.filter((option) => !isRare(option)), ...options.filter(isRare)]
    },
  }
}

function isRare(option: Option): boolean {
  return option.long === '--idempotency-key'
}
