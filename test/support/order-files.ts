import { DatabaseSync } from 'node:sqlite'
import type { Fulfillment } from '../../src/contract/resources/fulfillment.ts'
import type { InventoryLevel } from '../../src/contract/resources/item.ts'
import type { Operator } from './operator.ts'

const header = 'sku,quantity,recipient_name,street,city,state,zip,country,external_ref'
const street = '1 Unanswered Way'

/** A product of which several are there to be ordered. */
export async function orderedSku(operator: Operator): Promise<string> {
  const stock = await operator.json<InventoryLevel[]>(['inventory', 'ls', '--all'])
  return stock.find(({ available, sku }) => available > 5 && !sku.includes('-PSA'))?.sku ?? ''
}

/** One order each; with a reference only where it is told which. */
export function orderFile(
  sku: string,
  names: readonly string[],
  refOf: (name: string) => string = () => '',
): string {
  const rows = names.map((name) => `${sku},1,${name},${street},New York,NY,10001,US,${refOf(name)}`)
  return [header, ...rows, ''].join('\n')
}

/** Whom the orders in a database go to, as the files here have them. */
export function recipients(file: string): string[] {
  const db = new DatabaseSync(file, { readOnly: true })
  const docs = db.prepare('select doc from fulfillments').all() as Array<{ doc: string }>
  db.close()
  const addresses = docs.map(({ doc }) => (JSON.parse(doc) as Fulfillment).shipping_address)
  return addresses.flatMap((to) => (to?.street === street ? [to.recipient_name] : [])).sort()
}

/** The exit code; created, failed and already ordered rows. */
export function counts({ exitCode, stdout }: { exitCode?: number | undefined; stdout?: unknown }) {
  const count = (name: string): number => Number(new RegExp(`^${name}\t(.*)$`, 'm').exec(String(stdout))?.[1])
  return [exitCode, count('created'), count('failed'), count('already_ordered')]
}
