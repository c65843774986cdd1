import { atPartner } from './boxes.ts'
import { type Place, putFile, textIn } from './desks.ts'
import type { Final } from './final.ts'
import type { Random } from './random.ts'
import type { World } from './run.ts'
import { codeText, digitsOf, graderText, keyOf, linkText, type Slab, slabIn } from './spellings.ts'
import { runTool } from './tool.ts'

const onShelves = new Set(['received', 'digitized', 'available', 'in_fulfillment', 'pending_transfer'])

const gone = new Set(['delivered', 'released', 'withdrawn'])

type Item = Final['items'][number]
type Count = { codes: string[]; differences: string[] }

/** The final count of the shelves, with mistakes: the file of differences has these, and nothing else. */
export async function takeStock(world: World, partner: number, finals: readonly Final[]): Promise<void> {
  const { random } = world.scheduler.start(`stocktaking ${partner}`)
  const place: Place = { partner, desk: 'own' }
  const { codes, differences } = countOf(finals[partner]!, finals[(partner + 1) % finals.length]!, random)
  putFile(place, 'codes.txt', codes.join('\n'))
  const args = ['warehouse', 'count', '--scan', '--out', 'count.csv', ...atPartner(world, partner)]
  const { code, err } = await runTool(world, `count ${partner}`, { ...place, input: 'codes.txt' }, args)
  const rows = textIn(place, 'count.csv').split('\n').slice(1).filter(Boolean)
  const found = rows.map((row) => row.split(',').slice(0, 3).join(','))
  const wrong = (what: string): void => void world.faults.push(`custody ${args.join(' ')}: ${what}`)
  if (code !== (differences.length > 0 ? 9 : 0)) wrong(`ended with ${code}: ${err}`)
  const [missed, invented] = [without(differences, found), without(found, differences)]
  if (missed.length > 0) wrong(`does not say ${missed.slice(0, 5).join('; ')}`)
  if (invented.length > 0) wrong(`says ${invented.slice(0, 5).join('; ')}`)
}

function without(list: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return list.filter((one) => {
    const at = left.indexOf(one)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** Some are forgotten, some counted twice, some on the wrong shelf. */
function countOf(own: Final, other: Final, random: Random): Count {
  const stored = own.items.filter(({ status }) => onShelves.has(status))
  const byDigits = Map.groupBy(stored, digitsIn)
  const count: Count = { codes: [], differences: [] }
  for (const slab of stored.filter(({ type }) => type === 'graded_slab')) {
    const times = random.is(0.1) ? 0 : random.is(0.1) ? 2 : 1
    const others = byDigits.get(digitsIn(slab)) ?? []
    const scans = Array.from({ length: times }, () => codeOf(slab, others, random))
    count.codes.push(...scans)
    if (times === 0) count.differences.push(`missing,${slab.qid},1`)
    if (times === 2) count.differences.push(`twice,${scans.at(-1)},1`)
  }
  const products = Map.groupBy(
    stored.filter(({ type }) => type === 'product'),
    ({ sku }) => sku,
  )
  for (const [sku, { length }] of products) {
    const counted = random.is(0.2) ? length + 1 - random.int(3) : length
    count.codes.push(...Array<string>(counted).fill(sku))
    if (counted < length) count.differences.push(`missing,${sku},${length - counted}`)
    if (counted > length) count.differences.push(`extra,${sku},${counted - length}`)
  }
  const gone = own.items.find(({ status }) => !onShelves.has(status))
  const strange = other.items.find(({ status }) => onShelves.has(status))
  for (const [difference, code] of [
    ['extra', 'NOBODY-KNOWS'],
    ['extra', gone?.qid],
    ['other_partner', strange?.qid],
  ])
    if (code !== undefined && random.is(0.7)) {
      count.codes.push(code)
      count.differences.push(`${difference},${code},1`)
    }
  return count
}

/** A label's QID, or its certificate in any spelling, if that says which slab it is. `others`: of the same digits. */
function codeOf(item: Item, others: readonly Item[], random: Random): string {
  const isOnly = others.filter((one) => keyOf(slabOfItem(one)) === keyOf(slabOfItem(item))).length === 1
  if (!item.cert_number || !isOnly || random.is(0.5)) return item.qid
  return others.length > 1 ? linkText(slabOfItem(item)) : codeText(slabOfItem(item), random)
}

const slabOfItem = ({ grader, cert_number }: Item): Slab => slabIn(grader, cert_number)
const digitsIn = ({ cert_number }: Item): string => digitsOf(cert_number ?? '')

/** In the end slabs are looked up by other spellings than they came under: those that are there, and those that left. */
export async function lookUp(world: World, partner: number, { items, reports }: Final): Promise<void> {
  const { random } = world.scheduler.start(`lookup ${partner}`)
  const place: Place = { partner, desk: 'own' }
  const byKey = Map.groupBy(
    items.filter(({ cert_number }) => cert_number),
    (item) => keyOf(slabOfItem(item)),
  )
  const open = reports.flatMap(({ lines }) => lines).filter((line) => line.received_quantity < line.quantity)
  for (const line of open) byKey.delete(keyOf(slabIn(line.grader, line.cert_number)))
  const wanted = [...byKey.values()]
    .filter(({ length }) => length === 1)
    .flat()
    .slice(-60)
  if (wanted.length === 0) return
  const rows = wanted.map(
    (item) => `${graderText(slabOfItem(item), random)},${codeText(slabOfItem(item), random)}`,
  )
  putFile(place, 'certs.csv', ['grader,cert_number', ...rows, ''].join('\n'))
  const args = ['items', 'find', 'certs.csv', '--output', 'json']
  const { code, err, out } = await runTool(world, `lookup ${partner}`, place, args)
  const wrong = (what: string): void => void world.faults.push(`custody ${args.join(' ')}: ${what}`)
  if (code !== 0) return wrong(`ended with ${code}: ${err}`)
  const found: Array<{ answer: string; item: Item | null }> = JSON.parse(out)
  for (const [at, { qid, status }] of wanted.entries()) {
    const { answer, item } = found[at]!
    if (answer !== (gone.has(status) ? 'left' : 'held') || item?.qid !== qid)
      wrong(`says of ${rows[at]}, which is ${qid} and ${status}: ${answer} ${item?.qid}`)
  }
}
