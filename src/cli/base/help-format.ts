import { type Argument, type Command, Help, type Option } from 'commander'

/** The examples of a command, which help shows before its options. */
export const examplesOf = new WeakMap<Command, string>()

/** Stands for the examples while commander wraps the text, which would join their lines. */
const place = '\u0000'

/** How help is laid out: examples first, choices in plain words, commands by their names, the option that few need last in its group. */
export function helpFormat(): Partial<Help> {
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
    subcommandTerm: (command: Command) =>
      [command.name(), ...command.registeredArguments.map(argumentText)].join(' '),
    visibleOptions: (command: Command) => {
      const options = standard.visibleOptions(command)
      return [...options.filter((option) => !isRare(option)), ...options.filter(isRare)]
    },
  }
}

/** `<file>`, `[file]`, `<qid...>` */
function argumentText(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}

function isRare(option: Option): boolean {
  return option.long === '--idempotency-key'
}
