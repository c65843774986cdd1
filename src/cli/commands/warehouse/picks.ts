import { pageSizeMax } from '../../../contract/limits.ts'
import type { Fulfillment } from '../../../contract/resources/fulfillment.ts'
import type { Item } from '../../../contract/resources/item.ts'
import { graderOf } from '../../../domain/graders/certificate.ts'
import { isHeld } from '../../../domain/items/item-states.ts'
import { canonicalQid } from '../../../domain/items/qid.ts'
import { pickFulfillment } from '../../../engine/fulfillments/warehouse-shipping.ts'
import type { ScopedTx } from '../../../store/database.ts'
import { listDocs } from '../../../store/tables/documents.ts'
import { fulfillmentFilters } from '../../../store/tables/fulfillments.ts'
import { findItems } from '../../../store/tables/items.ts'
import { findScannedSkus } from '../../../store/tables/products.ts'
import { usage } from '../../base/cli-error.ts'
import { counted } from '../../base/counted.ts'
import { quoted } from '../../base/shell-word.ts'
import type { CommandFile, Outcome, Session } from '../../command.ts'
import { columnsOf, fieldsOf, type View } from '../../output/columns.ts'
import { isPageWanted, type PageFiles, pageFlags, writePages } from '../../report/page-files.ts'
import { type Answer, answerCodes, isCodeOf, itemsOfCode, refused, unknown, wrong } from './scanner.ts'
import { inWarehouseFor, type PlaceOptions, placeOptions, readWarehouse } from './warehouse-work.ts'

type Options = PlaceOptions & PageFiles & { scan?: boolean }

type Pick = { order: Fulfillment; items: Item[] }

const view: View = {
  columns: columnsOf<ReturnType<typeof rowOf>>(
    { name: 'deliver_by', title: 'deliver by' },
    { name: 'order', kind: 'id' },
    { name: 'qid', kind: 'id' },
    { name: 'name', kind: 'long' },
    { name: 'cert_number', title: 'cert', kind: 'id' },
    'grader',
    'sku',
  ),
  fields: () =>
    fieldsOf<ReturnType<typeof rowOf>>('fulfillment_id', 'grade', 'created_at', 'special_instructions'),
}

export const command: CommandFile<[Options]> = {
  summary: 'List what to pick, the earliest deliver-by first',
  details:
    'Lists the items of every order that waits to be picked; orders without a deliver-by come last, the oldest first. --html and ' +
    '--pdf write a page with the QID and certificate of each item as barcodes. --scan confirms: it reads codes from stdin (QIDs, ' +
    'certificates, QR codes of labels, SKUs, barcodes), and an order is picked when its last item is scanned. A number that slabs of several graders share is ambiguous, and picks nothing. undo cancels the last scan of an unfinished order.',
  examples: ['warehouse picks', 'warehouse picks --html picks.html', 'warehouse picks --scan'],
  define: (picks) =>
    placeOptions(
      pageFlags(picks, 'one page with barcodes').option(
        '--scan',
        'Read codes from stdin, and pick the orders they complete',
      ),
    ),
  isOffline: true,
  view: () => view,
  async run(session, options) {
    const isPage = isPageWanted(session, options)
    if (options.scan && isPage) throw usage('--scan writes no page: leave out --html and --pdf.')
    if (options.scan) return confirmPicks(session, options)
    const { picks, holder } = await readWarehouse(session, options, async (tx, scope) => ({
      picks: await picksOf(tx),
      holder: { partner: scope.partner_name, environment: scope.environment },
    }))
    if (!isPage) {
      const rows = picks.flatMap(({ order, items }) => items.map((item) => rowOf(order, item)))
      return (await session.printer()).all(rows)
    }
    const { pickPage } = await import('../../report/barcode-pages.ts')
    const page = pickPage(picks, holder, new Date(session.io.now()).toISOString())
    await writePages(session, options, counted(picks.length, 'order'), page)
  },
}

function rowOf(order: Fulfillment, { qid, grader, grade, cert_number, sku, name }: Item) {
  const { deliver_by, id: fulfillment_id, created_at, special_instructions } = order
  const item = { qid, grader, grade, cert_number, sku, name }
  return { deliver_by, order: nameOf(order), fulfillment_id, created_at, special_instructions, ...item }
}

async function picksOf(tx: ScopedTx): Promise<Pick[]> {
  const picks: Pick[] = []
  for (const status of ['pending', 'processing'] as const)
    for (let offset = 0; ; offset += pageSizeMax) {
      const page = { limit: pageSizeMax, offset }
      const { docs } = await listDocs(tx, 'fulfillments', fulfillmentFilters, { status }, page)
      const orders = docs
        .map((doc): Fulfillment => JSON.parse(doc))
        .filter(({ processing_stage }) => processing_stage === null)
      const wanted = orders.flatMap(({ qids }) => qids)
      const found = await findItems(tx, wanted)
      const items = new Map(found.map(({ item }) => [item.qid, item]))
      for (const order of orders)
        picks.push({ order, items: order.qids.flatMap((qid) => items.get(qid) ?? []) })
      if (docs.length < pageSizeMax) break
    }
  // A date sorts before `~`, which stands for no date.
  const placeOf = ({ order: { deliver_by, created_at, id: fulfillment } }: Pick) =>
    `${deliver_by ?? '~'} ${created_at} ${fulfillment}`
  return picks.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
}

type InUnitOfWork = Parameters<Parameters<typeof inWarehouseFor>[2]>[0]
/** `left`: items of the order that have not been scanned. */
type Open = Pick & { left: Item[] }
type PickDesk = {
  inUnitOfWork: InUnitOfWork
  open: Open[]
  last?: { open: Open; item: Item } | undefined
  picked: number
  wrong: number
}

async function confirmPicks(session: Session, options: Options): Promise<Outcome> {
  return inWarehouseFor(session, options, async (inUnitOfWork) => {
    const picks = await inUnitOfWork(({ tx }) => picksOf(tx))
    const desk: PickDesk = {
      inUnitOfWork,
      open: picks.map((pick) => ({ ...pick, left: [...pick.items] })),
      picked: 0,
      wrong: 0,
    }
    session.notice(`${counted(picks.length, 'order')} to pick`)
    const answered = answerCodes(session, async (code) => {
      const answer = await answerTo(desk, code)
      if (answer.isWrong) desk.wrong += 1
      return answer
    })
    const isStopped = await answered.finally(() => report(session, desk))
    if (isStopped) return 'interrupted'
    return desk.wrong > 0 || desk.open.some(isBegun) ? 'some_failed' : 'ok'
  })
}

function isBegun({ left, items }: Open): boolean {
  return left.length < items.length
}

/** Also runs if the database is lost, perhaps with the last scan of an order. */
function report({ notice }: Session, { open, picked }: PickDesk): void {
  for (const { order, left } of open.filter(isBegun)) {
    const unread = left.map(({ qid }) => qid).join(', ')
    if (unread !== '') notice(`${nameOf(order)} is not picked: ${unread} not scanned`)
    else notice(`${nameOf(order)} may not be picked: see custody fulfillments show ${quoted(nameOf(order))}`)
  }
  notice(`${counted(picked, 'order')} picked, ${open.length} left`)
}

async function answerTo(desk: PickDesk, code: string): Promise<Answer> {
  if (code.toLowerCase() === 'undo') return undo(desk)
  const qid = canonicalQid(code)
  const { found, held, skus } = await desk.inUnitOfWork(async ({ tx }) => {
    const found = await itemsOfCode(tx, code)
    const held = found.filter(({ status }) => isHeld(status))
    return { found, held, skus: held.length > 0 ? [] : (await findScannedSkus(tx, [code]))(code) }
  })
  const graders = [...new Set(held.flatMap((slab) => (qid === null && graderOf(slab)) || []))]
  if (graders.length > 1) {
    const about = `${code} is a number of ${graders.join(' and ')}: scan the QR code or the QID`
    return wrong('ambiguous', about)
  }
  if (skus.length > 1) return wrong('ambiguous', `${code} may be ${skus.join(' or ')}: type the SKU`)
  const isIt = (item: Item): boolean => {
    if (qid !== null) return item.qid === qid
    return item.type === 'product' ? item.sku === skus[0] : isCodeOf(code, item)
  }
  const open = desk.open.find(({ left }) => left.some(isIt))
  if (open === undefined) {
    const isTwice = desk.open.some(({ items }) => items.some(isIt))
    if (isTwice) return wrong('twice', `${code} was scanned already`)
    const [known] = found
    if (known) return wrong('wrong', `${code}: no order waits for it (${known.qid}, ${known.status})`)
    if (skus.length > 0) return wrong('wrong', `${code}: no order waits for it`)
    return unknown(code, 'no item has this code')
  }
  const [item] = open.left.splice(open.left.findIndex(isIt), 1)
  desk.last = item && { open, item }
  const { order, items, left } = open
  const about = `${items.length - left.length}/${items.length} of ${nameOf(order)}`
  if (left.length > 0) return { word: 'ok', about }
  desk.last = undefined
  const picking = desk.inUnitOfWork((work) => pickFulfillment(work, order.id))
  const refusal = await picking.then(() => undefined, refused)
  desk.open.splice(desk.open.indexOf(open), 1)
  if (refusal) return { ...refusal, about: `${nameOf(order)}: ${refusal.about}` }
  desk.picked += 1
  return { word: 'picked', about }
}

/** An order is picked with its last scan, which therefore cannot be taken back. */
function undo(desk: PickDesk): Answer {
  const { last } = desk
  if (last === undefined)
    return wrong('nothing', 'to undo: only the last scan of an order that is not picked yet can be undone')
  desk.last = undefined
  last.open.left.push(last.item)
  return { word: 'undone', about: `${last.item.qid} of ${nameOf(last.open.order)}` }
}

function nameOf({ external_ref, id }: Fulfillment): string {
  return external_ref ?? id
}
