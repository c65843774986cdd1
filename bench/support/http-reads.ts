import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { issueKey } from '../../src/engine/partners.ts'
import { runtime } from '../../src/runtime/runtime.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { benchConditions } from './http-conditions.ts'
import { type Rate, rateOf } from './http-rate.ts'
import { fillWithItems } from './item-database.ts'
import { median, note, report } from './measure.ts'
import { type Served, serveOn } from './pinned.ts'

const items = 100_000
const rounds = 10
const path = '/v1/items?page_size=25'
const program = join(import.meta.dirname, '..', '..', 'bin', 'custody.js')

/** `GET /items?page_size=25` with a key over 100,000 items, against a bare server that answers the same bodies. */
export async function benchReads(folder: string): Promise<void> {
  const file = join(folder, 'reads.db')
  const key = await prepare(file)
  const rate = ['--rate-limit', '900000:9000000']
  const ours = await serveOn(0, [program, 'serve', '--database', file, '--port', '0', ...rate])
  const bare = await serveOn(0, [join(import.meta.dirname, 'bare-items.ts'), file])
  try {
    await expectAlike(ours, bare, key)
    const pairs: Array<[Rate, Rate]> = []
    for (let round = 0; round <= rounds; round++) {
      const keyed = [`X-API-Key=${key}`]
      const pair: [Rate, Rate] = [await rateOf(ours, path, keyed), await rateOf(bare, path, keyed)]
      if (round > 0) pairs.push(pair)
    }
    // In pairs, so that other load affects both alike.
    const ratio = median(pairs.map(([our, their]) => their.perSecond / our.perSecond))
    const cpu = median(pairs.map(([our, their]) => our.cpuUs / their.cpuUs))
    const [our, their] = [0, 1].map((at) => median(pairs.map((pair) => pair[at]!.perSecond)))
    note('GET /items, bare server', `${their?.toFixed(0)} requests/s`)
    note(
      'GET /items, CPU, custody / bare',
      `${cpu.toFixed(2)} (${median(pairs.map(([o]) => o.cpuUs)).toFixed(0)} us)`,
    )
    report('GET /items, bare / custody', `${ratio.toFixed(2)} (${our?.toFixed(0)} requests/s)`, ratio, 1, '')
    await benchConditions(ours, path, key)
  } finally {
    await Promise.all([ours.stop(), bare.stop()])
  }
}

async function prepare(file: string): Promise<string> {
  const db = openSqlite(file)
  const scope = await fillWithItems(db, items)
  const { key } = await db.write((tx) => issueKey(tx, runtime, scope))
  await db.close()
  fillBareTable(file)
  return key
}

/** A column for each field of an item, as in a schema without documents. */
function fillBareTable(file: string): void {
  const db = new DatabaseSync(file)
  const field = (name: string): string => `json_extract(doc, '$.${name}')`
  db.exec(`
    create table bare_items as select scope_id, item_no, held, qid, type, ${field('name')} as name, sku, status,
      ${field('category')} as category, ${field('set')} as "set", ${field('card_number')} as card_number,
      ${field('external_ref')} as external_ref, line_id as manifest_line_id,
      fulfillment_id as active_fulfillment_id, ${field('image_assets')} as image_assets, intake_at, updated_at,
      null as model_3d, cert_number, ${field('grade')} as grade, ${field('grader')} as grader from items;
    create index bare_items_held on bare_items (scope_id, held, intake_at, item_no);
    analyze`)
  db.close()
}

/** Both must return the same items for the comparison to mean anything. */
async function expectAlike(ours: Served, bare: Served, key: string): Promise<void> {
  const read = async (origin: string): Promise<{ total: number; results: Array<{ qid: string }> }> => {
    const response = await fetch(origin + path, { headers: { 'x-api-key': key } })
    return (await response.json()) as { total: number; results: Array<{ qid: string }> }
  }
  const [one, other] = [await read(ours.origin), await read(bare.origin)]
  const shown = (page: typeof one): string => JSON.stringify([page.total, page.results.map(({ qid }) => qid)])
  if (shown(one) !== shown(other)) throw new Error(`not the same: ${shown(one)} ${shown(other)}`)
}
