import { usage } from '../base/cli-error.ts'

/** The flags of one arrival, of the warehouse's intake and of the sandbox's. */
const flags = {
  sku: 'sku',
  quantity: 'quantity',
  grader: 'grader',
  grade: 'grade',
  certNumber: 'cert-number',
  name: 'name',
  set: 'set',
  cardNumber: 'card-number',
  category: 'category',
  flag: 'flag',
} as const

/** Beside a file they would say something of nothing. Throws `usage`. */
export function refuseItemFlags(options: { readonly [name in keyof typeof flags]?: unknown }): void {
  const given = Object.entries(flags).filter(([name]) => options[name as keyof typeof flags] !== undefined)
  if (given.length === 0) return
  const names = given.map(([, flag]) => `--${flag}`).join(', ')
  throw usage(`${names}: not beside a file.`, 'What holds for an item stands in the file.')
}
