import { type Place, putFile, textIn } from './desks.ts'
import type { Final } from './final.ts'
import type { Random } from './random.ts'
import type { World } from './run.ts'
import { runTool } from './tool.ts'

const onShelves = new Set(['received', 'digitized', 'available', 'in_fulfillment', 'pending_transfer'])

type Item = Final['items'][number]
type Count = { codes: string[]; differences: string[] }

/** In the end the shelves are counted, not without mistakes: the file of differences has these, and nothing else. */
export async function takeStock(world: World, partner: number, finals: readonly Final[]): Promise<void> {
  const { random } = world.scheduler.start(`stocktaking ${partner}`)
  const place: Place = { partner, desk: 'own' }
  const { codes, differences } = countOf(finals[partner]!, finals[(partner + 1) % finals.length]!, random)
  putFile(place, 'codes.txt', codes.join('\n'))
  const where = ['--database', world.database, '--partner', `Partner ${partner}`]
  const args = ['warehouse', 'count', '--scan', '--out', 'count.csv', ...where]
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

/** Some are forgotten, some counted twice, some stand where they should not. */
function countOf(own: Final, other: Final, random: Random): Count {
  const stored = own.items.filter(({ status }) => onShelves.has(status))
  const certs = Map.groupBy(stored, ({ cert_number }) => numberOf(cert_number))
  const count: Count = { codes: [], differences: [] }
  for (const slab of stored.filter(({ type }) => type === 'graded_slab')) {
    const times = random.is(0.1) ? 0 : random.is(0.1) ? 2 : 1
    const isAlone = certs.get(numberOf(slab.cert_number))?.length === 1
    const scans = Array.from({ length: times }, () => codeOf(slab, isAlone, random))
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

/** A label's QID, or its certificate as one grader's scanner or another's reads it. */
function codeOf({ qid, cert_number }: Item, isAlone: boolean, random: Random): string {
  const number = numberOf(cert_number)
  if (!isAlone || number === '' || random.is(0.5)) return qid
  const [head, tail] = [number.slice(0, 2), number.slice(2)]
  return random.pick([
    number,
    `https://www.psacard.com/cert/${number}/psa`,
    `${head}-${tail}`,
    ` 0${number} `.trim(),
  ])
}

/** The digits of a certificate of PSA, however it was written. */
function numberOf(cert: string | null | undefined): string {
  return (cert ?? '').replaceAll(/\D/g, '').replace(/^0+/, '')
}
