import { hash } from 'node:crypto'
import { sleep } from '../../src/runtime/runtime.ts'
import { workbookOf } from '../support/workbook.ts'
import { follow } from './advice.ts'
import { type Box, newBox, type Part, partOf, parts, type Typed } from './boxes.ts'
import { supply } from './deeds.ts'
import { type Desk, desks, putFile } from './desks.ts'
import { cellsOf, type ErrandFile, files, textOf } from './errand-files.ts'
import { type Copy, copyOf } from './mirror-oracle.ts'
import { baseUrls } from './network.ts'
import type { Random } from './random.ts'
import { repair } from './repairs.ts'
import type { World } from './run.ts'
import { type Errand, type ErrandKind, sessionsOfDay } from './story.ts'
import { type Disturbance, type Ended, runTool } from './tool.ts'

/** A run of a command, with the file that it was given, and how it ended; without a code where it was killed. */
export type Attempt = Ended & Typed & { how: Disturbance; desk: Desk; file: ErrandFile | undefined }
/**
 * An errand as its operator knows it. `files`: the original and the latest file; none if it reads events. `since`: the attempt
 * from which on the file is as it is now. `nights`: how often cron still sends the file unchanged.
 */
export type ErrandCourse = {
  errand: Errand
  random: Random
  args: readonly string[]
  files: ErrandFile[]
  attempts: Attempt[]
  /** Runs with files of failed rows that were corrected. */
  repairs: Attempt[]
  /** Runs as a report advised, and what was done with the rows that they concern, by their names, and its files. */
  followed: Attempt[]
  /** A run as a report advised is at work, and may read the file. */
  isFollowing?: boolean
  advised: Map<string, string>
  since: number
  nights: number
  box: Box | undefined
  /** What is in its copy in the end. */
  copy?: Copy | undefined
}

const commands: Record<ErrandKind, (name: string) => string[]> = {
  products: (name) => ['products', 'import', `${name}.csv`, '--output', 'json'],
  orders: (name) => ['fulfillments', 'import', `${name}.csv`, '--output', 'json'],
  order: (name) => ['fulfillments', 'create', `${name}.json`, '--output', 'json'],
  manifest: (name) => ['manifests', 'submit', `${name}.csv`, '--reference', name, '--output', 'json'],
  tail: (name) => ['events', 'tail', '--from-start', '--cursor-file', `${name}.cursor`, '--output', 'ndjson'],
  copy: (name) => ['sync', `${name}.db`],
  box: (name) => ['manifests', 'submit', `${name}.csv`, '--reference', name, '--output', 'json'],
  follow: (name) => [...commands.tail(name), '--follow'],
}

export const nameOf = ({ no, kind }: Errand): string => `${kind === 'box' ? 'box' : 'errand'}-${no}`
export const copiesOf = (errand: Errand): string => `${nameOf(errand)}.db`
/** Two advices may be followed at once. */
export function newFileName({ errand, advised }: ErrandCourse): string {
  const name = `${nameOf(errand)}-advised-${advised.size}.csv`
  advised.set(name, 'made')
  return name
}
export const fileNameOf = (errand: Errand): string =>
  `${nameOf(errand)}.${errand.kind === 'order' ? 'json' : 'csv'}`

/** The first run; its result decides whether and when others follow. */
export async function begin(world: World, errand: Errand, session: number): Promise<void> {
  const { no, at, partner, kind } = errand
  const { random } = world.scheduler.start(nameOf(errand))
  await sleep(at)
  const known = world.known[partner]!
  if (kind === 'orders') await supply(world, errand, known.catalog.slice(-12))
  const file = files[kind]?.({ no, random, known })
  if (file?.lines.length === 0) return
  const one: ErrandCourse = {
    errand,
    random,
    args: [...commands[kind](nameOf(errand)), ...(file?.flags ?? [])],
    files: [],
    attempts: [],
    repairs: [],
    followed: [],
    advised: new Map(),
    since: 0,
    nights: kind === 'orders' && random.is(0.15) ? 30 : 0,
    box: kind === 'box' ? newBox(no, random) : undefined,
  }
  if (file) write(one, file)
  for (const desk of one.box ? desks : []) putFile({ partner, desk }, fileNameOf(errand), one.box!.lines)
  world.errands.push(one)
  await goOn(world, one, session)
}

/** One run, or several; another follows on a later day until one reports that it is done, and sometimes after. */
async function goOn(world: World, one: ErrandCourse, session: number): Promise<void> {
  const { random } = one
  const isAutomatic = one.nights > 0
  // An operator sees the faults in a file without waiting for a report.
  if (one.attempts.length > 0 && !isAutomatic)
    if (!isDone(one) && random.is(0.2)) correct(one)
    else if (random.is(0.5)) change(one)
  await tryOnce(world, one, disturbanceOf(one))
  for (let left = 2; left > 0 && !isDone(one) && random.is(0.6); left -= 1) {
    await sleep(random.int(2_000))
    await tryOnce(world, one, disturbanceOf(one))
  }
  if (random.is(0.5)) await repair(world, one)
  if (random.is(0.8)) {
    const disturb = (): Disturbance => disturbanceOf(one)
    again(world, session + 1 + random.int(sessionsOfDay), () => follow(world, one, disturb))
  }
  if (isAutomatic) {
    one.nights -= 1
    return again(world, session + sessionsOfDay, (next) => goOn(world, one, next))
  }
  // An order may be cancelled; the same content is then another order.
  if (isDone(one) && (one.errand.kind === 'order' || !random.is(0.4))) return
  if (isDone(one) && random.is(0.5)) correct(one)
  const next = session + 1 + random.int(random.is(0.5) ? 4 : 40)
  again(world, next, () => goOn(world, one, next))
}

function again(world: World, session: number, task: (session: number) => Promise<unknown>): void {
  const others = world.later.get(session) ?? []
  world.later.set(session, [...others, async () => void (await task(session))])
}

/** Without faults or interference: the rest is done now. */
export async function finish(world: World, one: ErrandCourse): Promise<void> {
  // The shop has exported once more.
  if (one.files.length === 1 && one.attempts.length > 0) change(one)
  if (one.errand.kind === 'orders') await supply(world, one.errand, skusIn(one.files.at(-1)!), true)
  // A run that was cut off since then, or a corrected file, may have made what had failed.
  const last = one.attempts.at(-1)
  const isNewest = [...one.repairs, ...(one.errand.kind === 'manifest' ? one.followed : [])].every(
    ({ ended }) => ended <= (last?.ended ?? 0),
  )
  if (last && isNewest && isDone(one) && isTold(one.errand, last)) return followToEnd(world, one)
  await sleep(5_000)
  if (one.errand.kind === 'copy') {
    for (const args of partsOfCopy(one.errand)) await tryOnce(world, { ...one, args }, {}, true)
    one.copy = copyOf(one)
    return
  }
  if (one.box) {
    for (const part of [...Object.keys(parts), 'stray', 'deliver', 'deliver'] as Part[])
      await tryOnce(world, one, {}, true, part)
    return
  }
  await tryOnce(world, one, one.errand.kind === 'follow' ? { stop: 60_000 } : {}, true)
  await followToEnd(world, one)
}

function skusIn({ lines }: ErrandFile): string[] {
  const skus = lines.map(({ item, text }) => item?.sku ?? text.split(',')[1]!)
  return [...new Set(skus)].filter((sku) => sku.startsWith('SKU-')).slice(0, 12)
}

async function followToEnd(world: World, one: ErrandCourse): Promise<void> {
  for (let left = 3; left > 0; left -= 1) if (!(await follow(world, one, () => ({}), true))) return
}

/** Whether a command reported completion, even if some rows are rejected permanently. Reading events never completes. */
export function isDone(one: ErrandCourse): boolean {
  return one.files.length > 0 && lastTold(one, one.since) !== undefined
}

/** The last run that reported every row; not one that refused to continue with a file corrected since. */
export function lastTold({ attempts, errand }: ErrandCourse, since = 0): Attempt | undefined {
  return attempts.slice(since).findLast((one) => isTold(errand, one))
}

/** An order is rejected if its item is taken, perhaps by an order whose answer was lost. */
export function isTold({ kind }: Errand, { code }: Attempt): boolean {
  return code === 0 || (kind === 'order' ? code === 5 : code === 9 || code === 6)
}

/** As an operator does: the rejected rows are corrected in the same file. A manifest's are announced by another. */
function correct(one: ErrandCourse): void {
  const file = one.errand.kind === 'manifest' ? undefined : one.files.at(-1)
  if (file?.mended && file.lines.some(({ isBad }) => isBad)) write(one, file.mended())
}

/** The shop exports once more. */
function change(one: ErrandCourse): void {
  const file = one.files.at(-1)?.changed?.(one.random)
  if (file) write(one, file)
}

function write(one: ErrandCourse, file: ErrandFile): void {
  if (one.isFollowing) return
  one.files.push(file)
  one.since = one.attempts.length
  const { partner } = one.errand
  for (const desk of desks) {
    putFile({ partner, desk }, fileNameOf(one.errand), textOf(file))
    if (isTable(one)) putFile({ partner, desk }, `${nameOf(one.errand)}.xlsx`, workbookOf(cellsOf(file)))
  }
}

/** Updating a copy, writing a statement, and verifying it by the log and by the copy. */
function partsOfCopy(errand: Errand) {
  const name = nameOf(errand)
  const verify = ['statement', 'verify', `${name}.json`]
  return [
    ['report', 'statement', '--out', `${name}.json`],
    ['sync', copiesOf(errand)],
    verify,
    [...verify, '--mirror', copiesOf(errand)],
  ] as const
}

/** One that is possible: nothing that may be missing is verified, and nothing by an older copy. */
function partOfCopy({ errand, attempts, random }: ErrandCourse): readonly string[] {
  const [state, sync, verify, verifyByCopy] = partsOfCopy(errand)
  const parts: Array<readonly string[]> = [sync, sync, state]
  if (attempts.some(({ args, code }) => args[0] === 'report' && code === 0)) {
    parts.push(verify)
    const at = (word: string, isToBeDone: boolean): number =>
      attempts.findLastIndex(({ args, code }) => args[0] === word && (code === 0 || !isToBeDone))
    if (at('sync', true) > at('report', false)) parts.push(verifyByCopy)
  }
  return random.pick(parts)
}

/** Sent as CSV, or as a workbook with the same rows. */
const isTable = ({ errand }: ErrandCourse): boolean => /^(products|orders)$/.test(errand.kind)

const skewDays = [-20, -10, 10, 20, 45, 370]

/** Machines whose clocks may be off by years. */
const isFarAhead = ({ partner }: Errand): boolean => partner === 0

export function disturbanceOf({ random, errand }: ErrandCourse): Disturbance {
  return disturbance(random, errand.kind === 'follow', isFarAhead(errand))
}

/** What happens to a run of a command; an endless one `mustStop`. */
export function disturbance(random: Random, mustStop = false, mayBeFar = true): Disturbance {
  const ms = random.int(random.is(0.5) ? 40 : 400)
  // Weeks off, or so far ahead that all stored data is old.
  const days = mayBeFar ? [...skewDays, 450] : skewDays
  const skewMs = random.is(0.07) ? random.pick(days) * 86_400_000 : 0
  const what = random.next()
  if (what < 0.3) return { kill: ms, skewMs }
  if (what < 0.4 || mustStop) return { stop: ms * 5, skewMs }
  return { skewMs }
}

/**
 * Or twice at once, unless it is the last time. A file may be sent from another machine, which knows nothing of this one's
 * work, or from both at once.
 */
export async function tryOnce(
  world: World,
  one: ErrandCourse,
  how: Disturbance,
  isLast = false,
  part?: Part,
): Promise<void> {
  const { random, attempts, repairs, followed, errand, box } = one
  const file = one.files.at(-1)
  const isShared = file !== undefined || box !== undefined
  const hows = isShared && !isLast && random.is(0.1) ? [how, disturbanceOf(one)] : [how]
  const first: Desk = isShared && random.is(0.15) ? 'other' : 'own'
  const isFromBoth = isShared && hows.length > 1 && random.is(0.5)
  const { length } = attempts
  const args = argsOf(one, isLast)
  await Promise.all(
    hows.map(async (how, n) => {
      const what = attempts === repairs ? 'repair' : attempts === followed ? 'advice' : 'try'
      const name = `${nameOf(errand)} ${what} ${length} ${n}`
      const desk = isFromBoth ? desks[n]! : first
      const place = { partner: errand.partner, desk }
      // Each machine may know the service by another address.
      const address = isShared && random.is(0.3) ? baseUrls[1] : baseUrls[0]
      const typed: Typed = box
        ? parts[part ?? partOfBox(one)]({ world, one, box, place, name: `${name}.txt`, all: isLast })
        : { args, codes: [] }
      const ended = await runTool(world, name, { ...place, address, input: typed.input }, typed.args, how)
      const { code, out, err } = ended
      attempts.push({ ...ended, ...typed, how, desk, file })
      world.note(`${name} ${code} ${hash('sha256', `${out} ${err}`)}`)
      // The key that a command with an unknown result names.
      const key = errand.kind === 'order' && /--idempotency-key ([\w-]+)/.exec(err)?.[1]
      if (key) one.args = [...commands.order(nameOf(errand)), '--idempotency-key', key]
    }),
  )
}

function argsOf(one: ErrandCourse, isLast: boolean): readonly string[] {
  const { random, attempts, errand, since } = one
  if (errand.kind === 'copy' && !isLast) return partOfCopy(one)
  if (!isTable(one) || one.args[2] !== fileNameOf(errand)) return one.args
  const args = random.is(0.5) ? one.args.map((word) => word.replace(/\.csv$/, '.xlsx')) : one.args
  return attempts.length > since && !isLast && random.is(0.5) ? [...args, '--resume'] : args
}

/** The box is announced before anything else is done with it. */
function partOfBox({ attempts, random }: ErrandCourse): Part {
  const isThere = attempts.some((attempt) => partOf(attempt) === 'submit' && attempt.code === 0)
  return isThere
    ? random.pick(['receive', 'receive', 'intake', 'stray', 'deliver', 'deliver', 'find'])
    : 'submit'
}
