import type { Known } from './known.ts'
import { address, recent } from './making.ts'
import type { Random } from './random.ts'
import type { ErrandKind } from './story.ts'

/**
 * What an operator sends: each row with what its resource is known by; rows of one name are one resource. `mend`: what makes a bad row
 * a good one. `isUnsure`: a row that equals an earlier order fails, because nobody can tell whether it is that order.
 */
export type ErrandFile = {
  head: string
  lines: ReadonlyArray<ErrandLine>
  mend: readonly [string | RegExp, string]
  flags?: readonly string[]
  isUnsure?: boolean
}
type ErrandLine = { name: string; text: string; isBad: boolean }

export const textOf = ({ head, lines }: ErrandFile): string =>
  [head, ...lines.map(({ text }) => text), ''].join('\n')

type Making = { no: number; random: Random; known: Known }

const bad = 0.1

/** The file of an errand, if it sends one; without a row where nothing is known yet that could stand in it. */
export const files: Partial<Record<ErrandKind, (of: Making) => ErrandFile>> = {
  products: ({ no, random }) => ({
    head: 'name,sku,length,width,height,dimension_unit,weight,weight_unit',
    lines: many(random, (at) => {
      const [name, isBad] = [`SKU-E${no}n${at}`, random.is(bad)]
      return { name, isBad, text: `wares${no},${name},1,2,3,${isBad ? 'el' : 'in'},1,oz` }
    }),
    mend: [',el,', ',in,'],
  }),
  orders: (making) => ({ head: orderHead, ...orders[making.random.pick(orderKinds)](making) }),
  order: ({ no, random, known: { stored, qids } }) => {
    const [qid, name] = [recent(stored.length > 0 ? stored : qids, random), `ERRAND-${no}-0`]
    const text = JSON.stringify({ qids: [qid], shipping_address: address, external_ref: name })
    return { head: '', lines: qid === undefined ? [] : [{ name, text, isBad: false }], mend: ['', ''] }
  },
  manifest: ({ no, random }) => ({
    head: 'description,grader,cert_number,quantity',
    lines: many(random, (at) => {
      const isBad = random.is(bad)
      return { name: `${at}`, isBad, text: `thing${no}n${at},,,${isBad ? 'few' : 1 + random.int(3)}` }
    }),
    mend: [',few', ',1'],
  }),
}

const orderHead = 'qid,sku,quantity,recipient_name,street,city,state,zip,country,external_ref'
const orderKinds = ['referenced', 'referenced', 'corrected', 'unreferenced', 'equal', 'summed'] as const

/** Files of orders, by what tells one order from another. */
const orders: Record<(typeof orderKinds)[number], (of: Making) => Omit<ErrandFile, 'head'>> = {
  referenced: (making) => ({
    lines: ordersOf(making, ({ name, what, isBad }) => row(what, name, { country: isBad ? 'Mars' : 'US' })),
    mend: [',Mars,', ',US,'],
  }),
  /** The SKU of a row is mistyped, and corrected later. */
  corrected: (making) => ({
    lines: ordersOf(
      making,
      ({ name, what, isBad }) => row(isBad ? what.replace(/,([^,]+),1$/, ',NONE:$1,1') : what, name),
      (what) => what.startsWith(','),
    ),
    mend: ['NONE:', ''],
  }),
  unreferenced: (making) => {
    const policy = making.random.pick(['', 'fail', 'skip'])
    return {
      lines: ordersOf(making, ({ name, what, isBad }) =>
        row(what, name, { country: isBad ? 'Mars' : 'US', ref: '' }),
      ),
      mend: [',Mars,', ',US,'],
      flags: policy === '' ? [] : ['--if-equal', policy],
      isUnsure: policy !== 'skip',
    }
  },
  /** Two rows of one reference and one product are nobody knows what, until each has a reference of its own. */
  equal: (making) => {
    const lines = goodOrders(making)
    const twins = lines.flatMap((line, at) => {
      if (!line.text.startsWith(',') || !making.random.is(0.5)) return [line]
      const names = [line.name, `${line.name}b`]
      const text = (name: string) =>
        line.text.replaceAll(line.name, name).replace(/[^,]+$/, `TWINS-${making.no}-${at}`)
      return names.map((name) => ({ name, text: text(name), isBad: true }))
    })
    return { lines: twins, mend: [/^(.*,)(ERRAND[^,]+)(,.*,)TWINS.*$/, '$1$2$3$2'] }
  },
  /** Rows that are equal but for their quantity are one order. */
  summed: (making) => {
    const lines = goodOrders(making)
    const twice = lines.flatMap((line) =>
      line.text.startsWith(',') && making.random.is(0.5) ? [line, line] : [line],
    )
    return { lines: twice, mend: ['', ''], flags: ['--combine'] }
  },
}

type Wanted = { name: string; what: string; isBad: boolean }

function ordersOf(
  { no, random, known }: Making,
  textOf: (of: Wanted) => string,
  mayBeBad = (_what: string): boolean => true,
): ErrandLine[] {
  return wanted(random, known).map((what, at) => {
    const [name, isBad] = [`ERRAND-${no}-${at}`, random.is(bad) && mayBeBad(what)]
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
  return `${what},${name},1 Main St,Reno,NV,89501,${country},${ref}`
}

/** Items, each in one row, and products. */
function wanted(random: Random, { stored, qids, catalog }: Known): string[] {
  const items = stored.length > 0 ? stored : qids
  const all = many(random, () => {
    const isProduct = catalog.length > 0 && random.is(0.3)
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
