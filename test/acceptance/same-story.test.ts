import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOperator, type Operator } from '../support/operator.ts'
import { type Served, serve } from '../support/served.ts'

const address = '--recipient-name Ada --street 1-Main-St --city Portland --state OR --zip 97214 --country US'
const box =
  '--name Box --sku B-1 --length 1 --width 1 --height 1 --dimension-unit in --weight 1 --weight-unit oz'

/**
 * An ordinary week: each command and how it ends. Q1 is the first item that any output named. Nothing is shipped, because a
 * sandbox invents labels at random.
 */
const story = [
  '0 products import catalog.csv',
  `0 products create ${box} --json`,
  `5 products create ${box}`,
  '0 products ls --limit 3 --json',
  '0 manifests submit clean.csv --reference PO-7 --source card_show --json',
  '0 manifests submit clean.csv --reference PO-7 --source card_show --json',
  '9 manifests submit two-bad-rows.csv --reference PO-8',
  '0 sandbox receive PO-7 --outcome short --json',
  '0 items ls --all --output csv',
  '0 items summary',
  '0 intakes ls --limit 2 --json',
  '0 manifests close PO-7 --preview',
  '0 manifests close PO-7 --yes',
  '0 manifests report PO-7 --json',
  '0 sandbox advance Q1 Q2 --to available --json',
  `0 fulfillments create --qid Q1 ${address} --external-ref W-1 --json`,
  `5 fulfillments create --qid Q1 ${address}`,
  '9 fulfillments import orders.csv',
  '0 sandbox fulfillment W-1 --stage picked --json',
  '5 fulfillments cancel W-1 --yes',
  '0 transfers request Q2 --external-ref SB-9 --json',
  '0 sandbox transfer SB-9 --to completed',
  '0 transfers ls --status completed',
  '0 items show Q1 --json',
  '4 items show Q-0000-0000-0000',
  '0 inventory ls --all',
  '0 sandbox clock --advance 40d --columns offset_seconds',
  '0 events tail --from-start --output ndjson',
]

/** One of the two targets, and its names for identifiers. */
type Teller = { operator: Operator; env: Record<string, string>; names: Map<string, string> }

const tellers: Teller[] = []
let served: Served

beforeAll(async () => {
  const [here, there] = await Promise.all([newOperator('empty'), newOperator('none')])
  served = await serve(there)
  tellers.push({ operator: here, env: {}, names: new Map() })
  tellers.push({ operator: there, env: served.env, names: new Map() })
  const files = [
    'catalog.csv',
    'buy-sheets/clean.csv',
    'buy-sheets/two-bad-rows.csv',
    'fulfillments/orders.csv',
  ]
  for (const { operator } of tellers) for (const file of files) operator.fixture(file)
})
afterAll(async () => {
  await served.stop()
  for (const { operator } of tellers) operator.leave()
})

test('an embedded database and a service give the same answers to the same story', async () => {
  for (const line of story) {
    const [code, ...args] = line.split(' ')
    const [here, there] = await Promise.all(tellers.map((teller) => tell(teller, args)))
    expect(there).toEqual(here)
    expect(here).toMatchObject({ args, exitCode: Number(code) })
  }
})

async function tell({ operator, env, names }: Teller, args: readonly string[]) {
  const called = new Map([...names].map(([found, name]) => [name, found]))
  const real = args.map((word) => called.get(word) ?? word)
  const { exitCode, stdout } = await operator.run(real, { env })
  return { args, exitCode, stdout: inCommonWords(stdout, names) }
}

/** Replaces times and random names with the same words for both. */
function inCommonWords(text: string, names: Map<string, string>): string {
  const nameOf = (found: string, kind: string): string => {
    const count = [...names.values()].filter((name) => name.startsWith(kind)).length
    const name = names.get(found) ?? `${kind}${count + 1}`
    names.set(found, name)
    return name
  }
  return (
    text
      .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replace(/\bQ(-[0-9A-Z]{4}){3}\b/g, (qid) => nameOf(qid, 'Q'))
      .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (id) => nameOf(id, 'id'))
      // Certificates that the buy sheet lacks, which a simulated receipt invents.
      .replace(/\b\d{8}\b/g, (cert) => nameOf(cert, 'cert'))
  )
}
