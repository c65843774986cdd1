import { resolve } from 'node:path'
import type { Item } from '../../../contract/resources/item.ts'
import { certKey, slabKey } from '../../../domain/graders/certificate.ts'
import { canonicalQid } from '../../../domain/items/qid.ts'
import type { ScopedTx } from '../../../store/database.ts'
import { listStored } from '../../../store/tables/item-lists.ts'
import type { PartnersItem } from '../../../store/tables/items.ts'
import { findScannedSkus } from '../../../store/tables/products.ts'
import type { Scope } from '../../../store/tables/scopes.ts'
import { usage } from '../../base/cli-error.ts'
import { counted } from '../../base/counted.ts'
import { asUmask, replaceFile } from '../../base/durable-file.ts'
import type { CommandFile, Outcome, Session } from '../../command.ts'
import { writeCsvFile } from '../../connection/csv-form.ts'
import { columnsOf } from '../../output/columns.ts'
import { stdoutName } from '../../output/output-file.ts'
import { type Answer, answerCodes, isCodeOf, keyOf, ownersOf, wrong } from './scanner.ts'
import { type PlaceOptions, placeOf, placeOptions, readWarehouse } from './warehouse-work.ts'

type Options = PlaceOptions & { scan?: boolean; out: string }

const differences = ['missing', 'extra', 'twice', 'other_partner'] as const

type Difference = {
  difference: (typeof differences)[number]
  code: string
  quantity: number
  qid: string | null
  status: string | null
  name: string | null
  about: string
}

const columns = columnsOf<Difference>('difference', 'code', 'quantity', 'qid', 'status', 'name', 'about')

export const command: CommandFile<[Options]> = {
  summary: 'Count the shelves blind with a scanner, and compare',
  details:
    'Reads codes from stdin, one per line: QIDs, certificates, QR codes of labels, and the SKU or barcode of each product; undo cancels the last ' +
    'one. Shows only a running count, so that nobody counts what is expected. At the end it compares the count with the items in the warehouse and writes the ' +
    'differences to a file: missing, extra (unknown, or gone according to the records), twice, and other_partner. Nothing is changed. Exit ' +
    '9: there are differences.',
  examples: [
    'warehouse count --scan',
    'warehouse count --scan --partner Northgate --out shelf-7.csv < codes.txt',
  ],
  define: (count) =>
    placeOptions(
      count
        .option('--scan', 'Read codes from stdin, one per line')
        .option('--out <file>', 'CSV file for the differences; - for stdout', 'count-differences.csv'),
    ),
  isOffline: true,
  isPlain: true,
  run,
}

async function run(session: Session, options: Options): Promise<Outcome> {
  if (!options.scan)
    throw usage('warehouse count reads a scanner: add --scan.', 'Codes in a file: --scan < codes.txt')
  const codes: string[] = []
  const times = new Map<string, number>()
  const timesOf = (code: string, by: number): number => {
    const key = canonicalQid(code) ?? slabKey({ cert_number: code }) ?? code
    const n = (times.get(key) ?? 0) + by
    times.set(key, n)
    return n
  }
  const answer = async (code: string): Promise<Answer> => {
    if (code.toLowerCase() === 'undo') {
      const last = codes.pop()
      if (last === undefined) return wrong('nothing', 'to undo')
      timesOf(last, -1)
      return { word: 'undone', about: `${codes.length}  ${last}` }
    }
    codes.push(code)
    const isAgain = timesOf(code, 1) > 1
    // A product's code is scanned once for each unit.
    return { word: isAgain ? 'again' : 'ok', about: String(codes.length) }
  }
  // Wrong options must fail now, not after an hour of scanning.
  const place = placeOf(session, options)
  await readWarehouse(session, options, async () => {}, place)
  try {
    const isStopped = await answerCodes(session, answer)
    const found = await readWarehouse(session, options, (tx, scope) => compare(tx, scope, codes), place)
    await writeCsvFile(session, options.out, columns, found)
    report(session, options, codes.length, found)
    if (isStopped) return 'interrupted'
    return found.length > 0 ? 'some_failed' : 'ok'
  } catch (error) {
    if (codes.length > 0) saveCodes(session, codes)
    throw error
  }
}

function report({ notice }: Session, { out }: Options, codes: number, found: readonly Difference[]): void {
  const words = differences.flatMap((word) => {
    const n = found.reduce((sum, each) => sum + (each.difference === word ? each.quantity : 0), 0)
    return n > 0 ? `${n} ${word.replace('_', ' ')}` : []
  })
  const see = out === stdoutName || found.length === 0 ? '' : `; see ${out}`
  notice(`${counted(codes, 'code')} counted: ${words.join(', ') || 'everything as recorded'}${see}`)
}

/** So that nobody has to count again if the database is lost at the end. Prints the codes if they cannot be saved. */
function saveCodes({ io, notice }: Session, codes: readonly string[]): void {
  const file = `count-${new Date(io.now()).toISOString().replaceAll(':', '-')}.txt`
  const text = codes.map((code) => `${code}\n`).join('')
  try {
    replaceFile(resolve(io.cwd, file), text, asUmask)
    notice(`${counted(codes.length, 'code')} saved: custody warehouse count --scan < ${file}`)
  } catch {
    io.err.write(text)
  }
}

async function compare(tx: ScopedTx, scope: Scope, codes: readonly string[]): Promise<Difference[]> {
  const { stored, found, uncounted } = await storedItems(tx, new Set(codes.map(keyOf)))
  const byCert = Map.groupBy(stored.values(), ({ cert_number }) => certKey(cert_number ?? ''))
  const times = new Map<string, { code: string; n: number }>()
  const unknown: string[] = []
  for (const code of codes) {
    const qid = canonicalQid(code)
    const slabs = byCert.get(certKey(code))?.filter((slab) => isCodeOf(code, slab))
    // Several graders may use the same number: if it is scanned twice, it counts two slabs.
    const slab = slabs?.find((each) => !times.has(each.qid)) ?? slabs?.[0]
    const item = qid === null ? slab : stored.get(qid)
    if (item) times.set(item.qid, { code, n: (times.get(item.qid)?.n ?? 0) + 1 })
    else unknown.push(code)
  }
  const products = new Map<string, number>()
  const strangers: string[] = []
  const skusOf = await findScannedSkus(tx, [...new Set(unknown)])
  for (const code of unknown) {
    const [sku, ...others] = skusOf(code)
    if (sku === undefined || others.length > 0) strangers.push(code)
    else products.set(sku, (products.get(sku) ?? 0) + 1)
  }
  const owners = await ownersOf(tx, scope, strangers)
  const named = new Set<string>()
  for (const [at, code] of strangers.entries()) {
    const owner = owners[at]
    // Both the QID and the certificate of a slab may be scanned.
    if (!owner || !named.has(owner.item.qid)) found.push(strange(scope, code, owner))
    if (owner) named.add(owner.item.qid)
  }
  for (const [qid, { code, n }] of times)
    if (n > 1) found.push(differenceOf('twice', code, n - 1, stored.get(qid), `scanned ${n} times`))
  for (const item of stored.values()) if (!times.has(item.qid)) miss(item, found, uncounted)
  for (const sku of new Set([...uncounted.keys(), ...products.keys()])) {
    const { n = 0, item } = uncounted.get(sku) ?? {}
    const counted = products.get(sku) ?? 0
    const less = n - counted
    const about = `${counted} counted, ${n} recorded`
    const only = less === 1 && n === 1 ? item : undefined
    if (less !== 0)
      found.push({
        ...differenceOf(less > 0 ? 'missing' : 'extra', sku, Math.abs(less), only, about),
        name: item?.name ?? null,
      })
  }
  return found.sort((a, b) => differences.indexOf(a.difference) - differences.indexOf(b.difference))
}

function strange(scope: Scope, code: string, owner: PartnersItem | undefined): Difference {
  const item = owner?.item
  if (owner && owner.scope_id !== scope.id)
    return differenceOf('other_partner', code, 1, item, `belongs to ${owner.partner_name}`)
  return differenceOf('extra', code, 1, item, item ? `recorded as ${item.status}` : 'unknown')
}

function differenceOf(
  difference: Difference['difference'],
  code: string,
  quantity: number,
  item: Pick<Item, 'qid' | 'status' | 'name'> | undefined,
  about: string,
): Difference {
  const { qid = null, status = null, name = null } = item ?? {}
  return { difference, code, quantity, qid, status, name, about }
}

type Uncounted = Map<string, { n: number; item: Item }>

/** Keeps only items with a scanned code: there may be a million others. */
async function storedItems(tx: ScopedTx, scanned: ReadonlySet<string>) {
  const stored = new Map<string, Item>()
  const found: Difference[] = []
  const uncounted: Uncounted = new Map()
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page = await listStored(tx, after)
    for (const { item } of page)
      if (scanned.has(item.qid) || scanned.has(certKey(item.cert_number ?? ''))) stored.set(item.qid, item)
      else miss(item, found, uncounted)
    after = page.at(-1)?.item_no
  }
  return { stored, found, uncounted }
}

function miss(item: Item, found: Difference[], uncounted: Uncounted): void {
  if (item.type === 'graded_slab')
    found.push(differenceOf('missing', item.qid, 1, item, `${item.grader} ${item.cert_number}`))
  else {
    const sku = item.sku ?? ''
    const { n, item: first } = uncounted.get(sku) ?? { n: 0, item }
    uncounted.set(sku, { n: n + 1, item: first })
  }
}
