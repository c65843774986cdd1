import type { Command } from 'commander'
import { usage } from '../base/cli-error.ts'

/**
 * Makes a command refuse a flag of one value that is given twice: the last one would silently stand for both. Flags that
 * gather their values, and those without one, may be repeated. Throws `usage` while the words are read.
 */
export function refuseRepeats(command: Command): void {
  for (const option of command.options) {
    if (!option.required && !option.optional) continue
    let isGiven = false
    command.on(`option:${option.name()}`, () => {
      const isGathered = Array.isArray(command.getOptionValue(option.attributeName()))
      if (!isGiven || isGathered) {
        isGiven = true
        return
      }
      const takesList = /separated by commas/.test(option.description)
      throw usage(
        `${option.long} is given more than once.`,
        takesList ? `Separate its values by commas: ${option.long} a,b` : 'It takes one value.',
      )
    })
  }
}
