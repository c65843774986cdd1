import type { Known } from './known.ts'
import { address, recent } from './making.ts'
import type { Random } from './random.ts'
import type { ErrandKind } from './story.ts'

/** What an operator sends: each row with what its resource is known by. `mend`: what makes a bad row a good one. */
export type ErrandFile = {
  head: string
  lines: ReadonlyArray<{ name: string; text: string; isBad: boolean }>
  mend: readonly [string, string]
}

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
  orders: ({ no, random, known }) => ({
    head: 'qid,sku,quantity,recipient_name,street,city,state,zip,country,external_ref',
    lines: wanted(random, known).map((what, at) => {
      const [name, isBad] = [`ERRAND-${no}-${at}`, random.is(bad)]
      const text = `${what},${name},1 Main St,Reno,NV,89501,${isBad ? 'Mars' : 'US'},${name}`
      return { name, isBad, text }
    }),
    mend: [',Mars,', ',US,'],
  }),
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
