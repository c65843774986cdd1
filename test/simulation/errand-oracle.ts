import { dayMs, repeatsDaysDefault } from '../../src/contract/limits.ts'
import { unpacked } from './box-oracle.ts'
import { textIn } from './desks.ts'
import type { ErrandFile, ErrandLine } from './errand-files.ts'
import { type ErrandCourse, isDone, isTold, lastTold, nameOf } from './errands.ts'
import { isOfPurchase, manifestLineName } from './manifest-advice.ts'
import { isCopied, isKept, isStated } from './mirror-oracle.ts'
import type { Model } from './model.ts'
import type { History } from './run.ts'
import type { Errand } from './story.ts'

/** What cannot have come of an errand: a row that is there twice or not at all, a report that is not so, an event that was not printed. */
export function settled(one: ErrandCourse, history: History, model: Model): void {
  const { errand, files, attempts, args, box } = one
  const { final, log } = history
  const wrong = (what: string): void =>
    void model.faults.push(`errand ${errand.no} ${args.join(' ')}: ${what}`)
  for (const { code, err } of [...attempts, ...one.repairs, ...one.followed])
    if (!endings.has(code)) wrong(`ended with ${code}: ${err}`)
  const last = attempts.at(-1)
  if (files.length > 0 && !isDone(one)) wrong(`was never done: ${last?.code} ${last?.err}`)
  else if (files.length > 0) sent(one, remembered(final), wrong)
  else if (errand.kind === 'copy') copied(one, log, wrong)
  else if (box) unpacked(one, box, history, wrong)
  else {
    for (const { code, err } of attempts) if (code === 5 || code === 6) wrong(`ended with ${code}: ${err}`)
    if (last?.code !== 0) wrong(`ended with ${last?.code}: ${last?.err}`)
    printed(one, log, wrong)
  }
}

/** Without orders that were too old for a later one to its recipient to repeat them (decisions 13). */
function remembered(final: History['final']): History['final'] {
  const newest = new Map<string | undefined, number>()
  const { fulfillments } = final
  const nameIn = ({ shipping_address: to }: (typeof fulfillments)[number]) => to?.recipient_name
  for (const order of fulfillments)
    newest.set(nameIn(order), Math.max(newest.get(nameIn(order)) ?? 0, Date.parse(order.created_at)))
  const isKnown = (order: (typeof fulfillments)[number]): boolean =>
    order.external_ref !== null ||
    Date.parse(order.created_at) >= newest.get(nameIn(order))! - repeatsDaysDefault * dayMs
  return { ...final, fulfillments: fulfillments.filter(isKnown) }
}

type Attempt = ErrandCourse['attempts'][number]

/** A row is in one manifest of its purchase as soon as a report says so, and in no other. */
function expected(
  { errand, attempts, followed }: ErrandCourse,
  manifests: History['final']['manifests'],
  made: readonly string[],
  wrong: (what: string) => void,
): void {
  const told = [...attempts, ...followed].filter((attempt) => isTold(errand, attempt))
  const good = told.flatMap(({ file }) => file!.lines.filter(({ isBad }) => !isBad))
  const lost = [...namesIn(good)].filter((name) => !made.includes(name))
  if (lost.length > 0) wrong(`lost ${lost}`)
  const references = manifests.map(({ reference }) => reference)
  const mine = references.filter((reference) => isOfPurchase(reference, nameOf(errand)))
  if (new Set(mine).size < mine.length) wrong(`submitted ${mine}`)
}

function copied(one: ErrandCourse, log: History['log'], wrong: (what: string) => void): void {
  for (const { args, code, err, out } of one.attempts) {
    if (code === 5 || code === 6 || code === 9) wrong(`${args.join(' ')} ended with ${code}: ${err}${out}`)
    if (args[0] === 'report' && code === 0) isStated(out, log, wrong)
  }
  for (const { args, code, err } of one.attempts.slice(-4))
    if (code !== 0) wrong(`${args.join(' ')} ended with ${code}: ${err}`)
  if (one.copy) isCopied(one.copy, log, wrong)
  isKept(one, wrong)
}

/** Killed, done, held up by another run or an order, rejected, unreachable, partly done, stopped. */
const endings = new Set([undefined, 0, 5, 6, 8, 9, 130])

/** The operator must move a cursor file that cannot be written. */
const isOfFullDisk = (code: number | undefined, err: string): boolean =>
  code === 8 && err.includes('no space is left on the disk')

/** The rows of a file that exist, once each, are those that the last completed run reported. */
function sent(one: ErrandCourse, final: History['final'], wrong: (what: string) => void): void {
  const { errand, repairs, followed, advised } = one
  const repaired = [...repairs, ...followed].flatMap(({ file }) => file ?? [])
  const files = [...repaired, ...one.files]
  const { lines: all, isUnsure = false } = files.at(-1)!
  const lines = all.filter(({ isLeftOut }) => !isLeftOut)
  const names = namesIn(files.flatMap((file) => file.lines))
  const valid = namesIn(
    files.flatMap((file) => file.lines.filter(({ isBad, isLeftOut }) => !isBad && !isLeftOut)),
  )
  const made = madeBy(errand, final).filter((name) => names.has(name))
  const twins = namesIn(files.flatMap((file) => file.lines.filter(({ isTwin }) => isTwin)))
  const single = made.filter((name) => !advised.has(name) && !twins.has(name))
  if (new Set(single).size < single.length) wrong(`made a row twice: ${made}`)
  if (made.some((name) => !valid.has(name))) wrong('made what is not valid')
  const bad = lines.filter(({ isBad }) => isBad).length
  if (errand.kind === 'manifest') expected(one, final.manifests, made, wrong)
  else if (errand.kind === 'order') {
    const mine = final.fulfillments.filter(({ external_ref: ref }) => names.has(ref ?? ''))
    ordered(
      one,
      mine.map(({ id }) => id),
      wrong,
    )
  } else {
    reported(errand, [...one.attempts, ...repairs, ...followed], wrong)
    if (errand.kind === 'orders') shippedOnce(one, final, wrong)
    for (const repair of repairs) if (isTold(errand, repair)) accepted(repair, wrong)
    addressed(files, final, wrong)
    const { out } = lastTold(one, one.since)!
    const { totals, errors } = reportIn(out)
    const { created, failed, known } = totals
    // A cancelled or returned order is not ordered again: its row fails.
    const over = endedOrders(final)
    const there = new Set(made)
    // Neither is one that the shop has changed since.
    const changed = changedSince({ ...one, files }, final, wrong)
    const mayFail = ({ name, isBad }: ErrandLine): boolean =>
      isBad || over.has(name) || changed.has(name) || advised.has(name) || isUnsure
    const rows = lines.filter(({ name }) => there.has(name))
    const more = rows.filter(mayFail).length
    const isRight = rows.length >= created + known && rows.length <= created + known + more
    if (!isRight) wrong(`made ${rows.length} rows, and says ${out.slice(0, 300)}`)
    if (failed < bad || (errand.kind === 'products' && failed > bad))
      wrong(`says that ${failed} failed of ${bad}`)
    for (const { row } of errors) {
      const line = all[row - 1]
      if (line && there.has(line.name) && !mayFail(line)) wrong(`says that row ${row} failed`)
    }
    const failing = new Set(errors.map(({ row }) => row))
    for (const [at, { name, isLeftOut }] of all.entries())
      if (changed.has(name) && !isLeftOut && !failing.has(at + 1))
        wrong(`does not say that row ${at + 1} is of an order that holds other items`)
  }
}

function reported(errand: Errand, attempts: readonly Attempt[], wrong: (what: string) => void): void {
  for (const attempt of attempts)
    if (isTold(errand, attempt)) {
      addsUp(attempt, wrong)
      const later = attempts.filter((one) => one !== attempt && one.ended > attempt.begun)
      namesFailed(attempt, later, errand.partner, wrong)
    }
}

/** No order holds more than a file asked for, however its rows were corrected and referred to. */
function shippedOnce(
  { files }: ErrandCourse,
  { fulfillments, items }: History['final'],
  wrong: (what: string) => void,
): void {
  const skus = new Map(items.map(({ qid, sku }) => [qid, sku]))
  const most = new Map<string, number>()
  for (const { lines } of files)
    for (const [name, mine] of Map.groupBy(lines, ({ name }) => name)) {
      const units = mine.flatMap(({ item }) => Array<string>(item?.quantity ?? 1).fill(item?.sku ?? ''))
      for (const [sku, { length }] of Map.groupBy(units, (sku) => sku)) {
        const key = JSON.stringify([name, sku === '' ? undefined : sku])
        most.set(key, Math.max(most.get(key) ?? 0, length))
      }
    }
  const names = namesIn(files.flatMap(({ lines }) => lines))
  const isShop = files.some(({ lines }) => lines.some(({ item }) => item))
  const held = fulfillments.flatMap(({ status, qids, shipping_address: to }) => {
    const name = to?.recipient_name ?? ''
    if (!names.has(name) || status === 'cancelled' || status === 'returned') return []
    return qids.map((qid) => JSON.stringify([name, isShop ? skus.get(qid) : undefined]))
  })
  for (const [key, { length }] of Map.groupBy(held, (key) => key))
    if (length > (most.get(key) ?? 0))
      wrong(`shipped ${length} of ${key}, and ${most.get(key)} were asked for`)
}

/** A corrected row may be impossible by now, but nothing is wrong with it. */
function accepted({ out }: Attempt, wrong: (what: string) => void): void {
  for (const error of reportIn(out).errors)
    if (error.code === 'validation_error') wrong(`refused a corrected row: ${JSON.stringify(error)}`)
}

/** Every order went to the street that its rows name. */
function addressed(
  files: readonly ErrandFile[],
  { fulfillments }: History['final'],
  wrong: (what: string) => void,
): void {
  const lines = Map.groupBy(
    files.flatMap((file) => file.lines),
    ({ name }) => name,
  )
  for (const { shipping_address: to } of fulfillments) {
    const mine = lines.get(to?.recipient_name ?? '') ?? []
    if (mine.length > 0 && !mine.some(({ text }) => text.split(',').includes(to!.street)))
      wrong(`sent ${to!.recipient_name} to ${to!.street}`)
  }
}

function namesIn(lines: readonly ErrandLine[]): Set<string> {
  return new Set(lines.map(({ name }) => name))
}

/** A shop's orders as in an earlier export; each is one parcel with the content of one export. */
function changedSince(
  { files }: ErrandCourse,
  { fulfillments, items }: History['final'],
  wrong: (what: string) => void,
): Set<string> {
  const [first, ...versions] = files.map(({ lines }) => Map.groupBy(lines, ({ name }) => name)).reverse()
  const skus = new Map(items.map(({ qid, sku }) => [qid, sku]))
  const changed = new Set<string>()
  for (const { external_ref, qids } of fulfillments) {
    const name = external_ref ?? ''
    const mine = [first, ...versions].flatMap((all) => all?.get(name) ?? [])
    if (mine[0]?.item === undefined) continue
    const held = String(qids.map((qid) => skus.get(qid)).sort())
    if (held === unitsOf(first?.get(name) ?? [])) continue
    changed.add(name)
    if (!versions.some((all) => held === unitsOf(all.get(name) ?? []))) wrong(`shipped ${held} as ${name}`)
  }
  return changed
}

/** The SKU of each unit. */
function unitsOf(lines: readonly ErrandLine[]): string {
  const units = lines.flatMap(({ item }) => Array<string>(item?.quantity ?? 0).fill(item?.sku ?? ''))
  return String(units.sort())
}

/** A report covers every row, and the exit code says whether any failed. */
function addsUp({ code, out, file }: Attempt, wrong: (what: string) => void): void {
  const { totals, skipped } = reportIn(out)
  const { created, failed, known, submitted } = totals
  const rows = file?.lines.filter(({ isLeftOut }) => !isLeftOut).length
  if (file && skipped !== file.lines.length - rows!) wrong(`skipped ${skipped} rows of ${file.lines.length}`)
  if (submitted !== rows || created + failed + known !== rows)
    wrong(`says of ${rows} rows ${out.slice(0, 300)}`)
  if ((code === 0) !== (failed === 0)) wrong(`ended with ${code}, and says that ${failed} failed`)
}

/**
 * The file of failed rows that a report names still has them, whatever happened to the machine since. It has more if a later
 * run found the same rows and others after them.
 */
function namesFailed(
  { out, desk }: Attempt,
  later: readonly Attempt[],
  partner: number,
  wrong: (what: string) => void,
): void {
  const { totals, file } = reportIn(out)
  if (file === null) return
  const rows = textIn({ partner, desk }, file).split('\n').filter(Boolean)
  const mayHaveMore = later.some(
    (one) => one.desk === desk && (one.code === undefined || reportIn(one.out).file === file),
  )
  const more = rows.length - 1 - totals.failed
  if (more < 0 || (more > 0 && !mayHaveMore))
    wrong(`says that ${totals.failed} rows are in ${file}, which has ${JSON.stringify(rows)}`)
}

/** By the recipients of a file, each of whom has one order. */
function endedOrders({ fulfillments }: History['final']): Set<string | undefined> {
  const over = fulfillments.filter(({ status }) => status === 'cancelled' || status === 'returned')
  return new Set(over.map((one) => one.shipping_address?.recipient_name))
}

type Report = {
  totals: { created: number; failed: number; submitted: number; known: number }
  errors: Array<{ row: number; code: string; message: string }>
  /** The file with the failed rows. */
  file: string | null
  skipped: number
}

/** `known`: rows whose resource already matches, whatever this kind calls that. */
export function reportIn(out: string): Report {
  if (out === '') {
    const totals = { created: 0, failed: 0, submitted: 0, known: 0 }
    return { totals, errors: [], file: null, skipped: 0 }
  }
  const { totals, errors, errors_file: file = null, skipped = {} } = JSON.parse(out)
  // If rows are added up, orders are fewer than rows.
  const { created, failed, submitted, orders: _, ...same } = totals as Record<string, number>
  const known = sumOf(same)
  const counts = { created: created!, failed: failed!, submitted: submitted!, known }
  return { totals: counts, errors, file, skipped: sumOf(skipped) }
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** A single order with a known result exists, perhaps cancelled; one that nobody can have created does not. */
function ordered({ attempts }: ErrandCourse, made: readonly string[], wrong: (what: string) => void): void {
  const ids = new Set(attempts.flatMap(({ code, out }) => (code === 0 ? [JSON.parse(out).id] : [])))
  const isInDoubt = attempts.some(({ code }) => code === undefined || code === 8 || code === 130)
  if (![...ids].every((id) => made.includes(id))) wrong(`ordered ${made}, and says ${[...ids]}`)
  if (ids.size === 0 && made.length > 0 && !isInDoubt) wrong('was rejected, and done')
}

type Order = History['final']['fulfillments'][number]

function madeBy(errand: Errand, { manifests, reports, products, fulfillments }: History['final']): string[] {
  if (errand.kind === 'products') return products.map(({ sku }) => sku)
  if (errand.kind === 'order')
    return fulfillments.filter((one) => !wasOver(one, fulfillments)).map((one) => one.external_ref ?? '')
  if (errand.kind === 'orders') return fulfillments.map((one) => one.shipping_address?.recipient_name ?? '')
  const mine = manifests
    .filter(({ reference }) => isOfPurchase(reference, nameOf(errand)))
    .map(({ id }) => id)
  const lines = reports.filter(({ manifest_id }) => mine.includes(manifest_id)).flatMap((one) => one.lines)
  return lines.map(({ description }) => manifestLineName(String(description)))
}

/** Cancelled before the same was ordered again. */
function wasOver({ external_ref, status, updated_at }: Order, all: readonly Order[]): boolean {
  return (
    status === 'cancelled' &&
    all.some((one) => one.external_ref === external_ref && one.created_at > updated_at)
  )
}

/** Every event, in the order of the log, and none twice unless its position could not be saved, or was lost. */
function printed({ attempts }: ErrandCourse, log: History['log'], wrong: (what: string) => void): void {
  const seen = new Set<string>()
  let [next, again] = [0, 0]
  for (const line of attempts.flatMap(({ out }) => out.split('\n').filter(Boolean))) {
    const event = JSON.parse(line) as { id: string }
    const { id } = event
    if (seen.has(id)) {
      again += 1
      continue
    }
    seen.add(id)
    if (JSON.stringify(log[next]?.event) !== JSON.stringify(event)) {
      wrong(`printed ${id} in the place of ${log[next]?.event.id}`)
      return
    }
    next += 1
  }
  // Automatic closes may have happened since.
  if (log.slice(next).some(({ trace }) => trace !== null)) wrong(`printed ${next} of ${log.length} events`)
  if (again > mayComeAgain(attempts)) wrong(`printed ${again} events twice`)
}

/**
 * The event during which a run was killed, or found the disk full; all events of such runs if their machine lost power soon
 * after.
 */
function mayComeAgain(attempts: readonly Attempt[]): number {
  let [all, unsure] = [0, 0]
  for (const [at, { code, err, out, boot }] of attempts.entries()) {
    const isUnsaved = code === undefined || isOfFullDisk(code, err)
    unsure = isUnsaved ? unsure + out.split('\n').length : 0
    if (isUnsaved && boot !== attempts[at + 1]?.boot) all += unsure
    else if (isUnsaved) all += 1
  }
  return all
}
