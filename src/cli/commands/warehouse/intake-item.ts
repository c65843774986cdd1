import type { Command } from 'commander'
import { collect, flagNames } from '../../command-line/body-flags.ts'

export type ItemOptions = {
  sku?: string
  name?: string
  grader?: string
  grade?: string
  certNumber?: string
  set?: string
  cardNumber?: string
  category?: string
  flag?: string[]
  quantity?: string
}

export function itemOptions(command: Command): Command {
  return command
    .optionsGroup('One arrival:')
    .option('--sku <sku>', 'SKU of a product')
    .option('--quantity <n>', 'Number of units of the product')
    .option('--grader <name>', 'Grading company of a slab, as in PSA')
    .option('--grade <grade>', 'Grade of the slab')
    .option(`${flagNames('cert_number')} <number>`, 'Certificate number of the slab')
    .option('--name <name>', 'Name (default: from its manifest line)')
    .option('--set <name>', 'Set of the card')
    .option('--card-number <number>', 'Number within the set')
    .option('--category <name>', 'Category, as in pokemon or baseball')
    .option('--flag <flag>', 'Condition flag; repeatable', collect)
}
