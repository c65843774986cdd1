import type { Known } from './known.ts'
import { address, recent } from './making.ts'
import type { Random } from './random.ts'
import type { ErrandKind } from './story.ts'

/**
 * A file that an operator sends. `mended`: the file with its bad rows corrected. `changed`: a shop's next export, in which the
 * same orders may differ. `isUnsure`: a row that equals an earlier order fails, because nobody can tell whether it is that
 * order.
 */
export type ErrandFile = {
  head: string
  lines: ReadonlyArray<ErrandLine>
  mended?: () => ErrandFile
  changed?: (random: Random) => ErrandFile
  flags?: readonly string[]
  isUnsure?: boolean
}
/**
 * Rows with one name are one resource. `item`: what a row of a shop's order asks for; `isLeftOut`: the order was cancelled in
 * the shop.
 */
export type ErrandLine = {
  name: string
  text: string
  isBad: boolean
  item?: { sku: string; quantity: number }
  isLeftOut?: boolean
  /** One of several equal orders, none with a reference. */
  isTwin?: boolean
}

export const textOf = ({ head, lines }: ErrandFile): string =>
  [head, ...lines.map(({ text }) => text), ''].join('\n')

/** The same as in a workbook, where a cell is text without an apostrophe. */
export const cellsOf = (file: ErrandFile): string[][] =>
  textOf(file)
    .trimEnd()
    .split('\n')
    .map((line) => line.split(',').map((cell) => cell.replace(/^'/, '')))

type Making = { no: number; random: Random; known: Known }

const bad = 0.1

/** The file of an errand, if it sends one; without rows if no known resource fits. */
export const files: Partial<Record<ErrandKind, (of: Making) => ErrandFile>> = {
  products: ({ no, random }) => {
    const lines = many(random, (at) => {
      const [name, isBad] = [`SKU-E${no}n${at}`, random.is(bad)]
      return { name, isBad, text: `wares${no},${name},1,2,3,${isBad ? 'el' : 'in'},1,oz` }
    })
    const head = 'name,sku,length,width,height,dimension_unit,weight,weight_unit'
    return mendable({ head, lines }, ',el,', ',in,')
  },
  orders: (making) => orders[making.random.pick(orderKinds)](making),
  order: ({ no, random, known: { stored, qids } }) => {
    const [qid, name] = [recent(stored.length > 0 ? stored : qids, random), `ERRAND-${no}-0`]
    const text = JSON.stringify({ qids: [qid], shipping_address: address, external_ref: name })
    return { head: '', lines: qid === undefined ? [] : [{ name, text, isBad: false }] }
  },
  manifest: ({ no, random }) => {
    const lines = many(random, (at) => {
      const isBad = random.is(bad)
      return { name: `${at}`, isBad, text: `thing${no}n${at},,,${isBad ? 'few' : 1 + random.int(3)}` }
    })
    return mendable({ head: 'description,grader,cert_number,quantity', lines }, ',few', ',1')
  },
}

/** The file, and the same with `from` replaced by `to` in every row. */
function mendable(file: ErrandFile, from: string | RegExp, to: string): ErrandFile {
  const lines = file.lines.map((line) => ({ ...line, text: line.text.replace(from, to), isBad: false }))
  return { ...file, mended: () => ({ ...file, lines }) }
}

const head = 'qid,sku,quantity,recipient_name,street,city,state,zip,country,external_ref'
const orderKinds = [
  'referenced',
  'corrected',
  'unreferenced',
  'twins',
  'equal',
  'summed',
  'shop',
  'shop',
] as const

/** Files of orders, by how they identify an order. */
const orders: Record<(typeof orderKinds)[number], (of: Making) => ErrandFile> = {
  referenced: (making) => {
    const lines = ordersOf(making, ({ name, what, isBad }) =>
      row(what, name, { country: isBad ? 'Mars' : 'US' }),
    )
    return mendable({ head, lines }, ',Mars,', ',US,')
  },
  /** The SKU of a row is mistyped, and corrected later. */
  corrected: (making) => {
    const lines = ordersOf(
      making,
      ({ name, what, isBad }) => row(isBad ? what.replace(/,([^,]+),1$/, ',NONE:$1,1') : what, name),
      (what) => what.startsWith(','),
    )
    return mendable({ head, lines }, 'NONE:', '')
  },
  unreferenced: (making) => {
    const policy = making.random.pick(['', 'fail', 'skip'])
    const lines = ordersOf(making, ({ name, what, isBad }) =>
      row(what, name, { country: isBad ? 'Mars' : 'US', ref: '' }),
    )
    const flags = policy === '' ? [] : ['--if-equal', policy]
    return mendable({ head, lines, flags, isUnsure: policy !== 'skip' }, ',Mars,', ',US,')
  },
  /** A customer orders the same a second time; the shop gives no references. */
  twins: (making) => {
    const policy = making.random.pick([[], ['--if-equal', 'skip']])
    const lines = ordersOf(
      making,
      ({ name, what }) => row(what, name, { ref: '' }),
      () => false,
    )
    const changed = (random: Random): ErrandFile => ({
      ...file,
      lines: lines.flatMap((line) => {
        const twin = { ...line, isBad: true, isTwin: true }
        return line.text.startsWith(',') && random.is(0.5) ? [twin, twin] : [line]
      }),
    })
    const file: ErrandFile = { head, lines, flags: policy, isUnsure: true, changed }
    return file
  },
  /** Two rows with one reference and one product are ambiguous until one of them has another reference. */
  equal: (making) => {
    const lines = goodOrders(making).flatMap((line, at) => {
      if (!line.text.startsWith(',') || !making.random.is(0.5)) return [line]
      const names = [line.name, `${line.name}b`]
      const text = (name: string) =>
        line.text.replaceAll(line.name, name).replace(/[^,]+$/, `TWINS-${making.no}-${at}`)
      return names.map((name) => ({ name, text: text(name), isBad: true }))
    })
    return mendable({ head, lines }, /^(.*,)(ERRAND[^,]+b)(,.*,)TWINS.*$/, '$1$2$3$2')
  },
  /** Equal rows are one order, and all fail if the service rejects it, or if one of them is bad. */
  summed: (making) => {
    const lines = goodOrders(making).flatMap((line) => {
      if (!line.text.startsWith(',') || !making.random.is(0.5)) return [line]
      const bad = (from: string) => ({ ...line, text: line.text.replace(from, `${from}NONE:`), isBad: true })
      return making.random.pick([
        [line, line],
        [bad(','), bad(',')],
        [{ ...line, isBad: true }, bad(',NV,89501,'), { ...line, isBad: true }],
      ])
    })
    return mendable({ head, lines, flags: ['--combine'] }, 'NONE:', '')
  },
  shop: ({ no, random, known: { catalog } }) => {
    const skus = catalog.slice(-12)
    const flags = random.is(0.2) ? ['--ship-status', 'pending'] : []
    const newOrder = (at: number): ShopOrder => ({
      name: `#E${no}-${at}`,
      isPaid: !random.is(bad),
      isCancelled: random.is(0.05),
      items: Array.from({ length: 1 + random.int(3) }, () => someItem(skus, random)),
    })
    return shopExport(skus.length === 0 ? [] : many(random, newOrder).slice(0, 25), { flags, skus, newOrder })
  },
}

type Wanted = { name: string; what: string; isBad: boolean }

type ShopOrder = {
  name: string
  isPaid: boolean
  isCancelled: boolean
  items: Array<NonNullable<ErrandLine['item']>>
}
type Shop = { flags: readonly string[]; skus: readonly string[]; newOrder: (at: number) => ShopOrder }

const shopHead =
  'Name,Financial Status,Fulfillment Status,Cancelled at,Lineitem quantity,Lineitem name,Lineitem sku,Shipping Name,Shipping Address1,Shipping City,Shipping Zip,Shipping Province,Shipping Country'

/** As Shopify writes orders: a row for each item, with the address in the first. */
function shopExport(orders: readonly ShopOrder[], shop: Shop): ErrandFile {
  const lines = orders.flatMap(({ name, isPaid, isCancelled, items }) =>
    items.map((item, at): ErrandLine => {
      const status = `${isPaid ? 'paid' : 'pending'},unfulfilled,${isCancelled ? '2026-01-02 10:00:00' : ''}`
      const [order, place] = at === 0 ? [status, `${name},1 Main St,Reno,'89501,NV,US`] : [',,', ',,,,,']
      const text = `${name},${order},${item.quantity},Item,${item.sku},${place}`
      return {
        name,
        text,
        item,
        isBad: !isPaid && !isCancelled && shop.flags.length === 0,
        isLeftOut: isCancelled,
      }
    }),
  )
  const mended = (): ErrandFile =>
    shopExport(
      orders.map((one) => ({ ...one, isPaid: true })),
      shop,
    )
  const changed = (random: Random): ErrandFile => {
    const now = orders.map((one) => changedOrder(one, shop, random))
    return shopExport(random.is(0.5) ? [...now, shop.newOrder(now.length)] : now, shop)
  }
  return { head: shopHead, lines, flags: shop.flags, mended, changed }
}

/** What a customer or a clerk changes in an order between two exports. */
function changedOrder(order: ShopOrder, { skus }: Shop, random: Random): ShopOrder {
  const what = random.next()
  const { items } = order
  if (what < 0.08) return { ...order, items: [...items, someItem(skus, random)] }
  if (what < 0.16 && items.length > 1)
    return { ...order, items: items.toSpliced(random.int(items.length), 1) }
  if (what < 0.24) return { ...order, isCancelled: true }
  return { ...order, isPaid: order.isPaid || random.is(0.5) }
}

function someItem(skus: readonly string[], random: Random): ShopOrder['items'][number] {
  return { sku: random.pick(skus), quantity: random.is(0.8) ? 1 : 2 }
}

function ordersOf(
  { no, random, known }: Making,
  textOf: (of: Wanted) => string,
  mayBeBad = (_what: string): boolean => true,
): ErrandLine[] {
  return wanted(random, known).map((what, at) => {
    const [name, isBad] = [`ERRAND-${no}-${at}`, random.is(2 * bad) && mayBeBad(what)]
    return { name, isBad, text: textOf({ name, what, isBad }) }
  })
}

function goodOrders(making: Making): ErrandLine[] {
  return ordersOf(
    making,
    ({ name, what }) => row(what, name),
    () => false,
  )
}

function row(what: string, name: string, { country = 'US', ref = name } = {}): string {
  // A spreadsheet would take it for a formula, so a file of failed rows guards it.
  const street = /[369]$/.test(name) ? '@1 Main St' : '1 Main St'
  return `${what},${name},${street},Reno,NV,89501,${country},${ref}`
}

/** Items, each in one row, and products. */
function wanted(random: Random, { stored, qids, catalog }: Known): string[] {
  const items = stored.length > 0 ? stored : qids
  const all = many(random, () => {
    const isProduct = catalog.length > 0 && random.is(0.6)
    const one = recent(isProduct ? catalog : items, random)
    return one === undefined ? [] : [isProduct ? `,${one},1` : `${one},,`]
  })
  const seen = new Set<string>()
  return all.flat().filter((one) => {
    if (seen.has(one)) return false
    if (!one.startsWith(',')) seen.add(one)
    return true
  })
}

function many<T>(random: Random, make: (at: number) => T): T[] {
  return Array.from({ length: 1 + random.int(random.is(0.5) ? 5 : 70) }, (_, at) => make(at))
}
