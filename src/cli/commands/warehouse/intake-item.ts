import type { Command } from 'commander'
import { collect } from '../../command-line/collect.ts'

/** One arrival, as its flags give it. */
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
    .option('--sku <sku>', 'a product of this SKU')
    .option('--quantity <n>', 'so many units of the product')
    .option('--grader <name>', 'a slab: its grading company, as in PSA')
    .option('--grade <grade>', 'its grade')
    .option('--cert-number <number>', 'its certificate')
    .option('--name <name>', 'its name (default: as its manifest line has it)')
    .option('--set <name>', 'its set')
    .option('--card-number <number>', 'its number within the set')
    .option('--category <name>', 'as in pokemon or baseball')
    .option('--flag <flag>', 'what verification found; may be repeated', collect)
}
