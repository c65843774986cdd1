import { type Argument, type Command, Help, type Option } from 'commander'

/** How help is laid out: choices in plain words, commands by their names, the option that few need last in its group. */
export function helpFormat(): Partial<Help> {
  const standard = new Help()
  return {
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
