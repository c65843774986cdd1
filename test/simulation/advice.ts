import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { desks, putFile } from './desks.ts'
import type { ErrandFile, ErrandLine } from './errand-files.ts'
import { reportIn } from './errand-oracle.ts'
import { type Attempt, type ErrandCourse, isTold, nameOf, newFileName, tryOnce } from './errands.ts'
import { followManifest } from './manifest-advice.ts'
import type { Random } from './random.ts'
import { correctedRow, errorsFile } from './repairs.ts'
import type { World } from './run.ts'
import { type Disturbance, runTool } from './tool.ts'

/** What an operator does with one failed row, by the words of its reason. */
type Action =
  | { does: 'refer'; who: 'it' | 'each' | 'others' }
  /** And gives it another reference, once the earlier order is cancelled. */
  | { does: 'cancel'; order: string }
  | { does: 'rest' }
  | { does: 'pass'; flag: string }

/** `given`: its cells before other faults were corrected. */
type Row = { cells: string[]; given: string[]; number: number; line: ErrandLine; message: string }
type Failed = { head: string[]; rows: Row[] }

/**
 * Long after a report, its operator follows one of its advices to the letter, with the words of the report alone. Returns whether
 * there was one.
 */
export async function follow(
  world: World,
  one: ErrandCourse,
  disturb: () => Disturbance,
  isLast = false,
): Promise<boolean> {
  const { followed, random } = one
  const attempt = [...one.attempts, ...followed].reduce<Attempt | undefined>(
    (last, each) => (last && last.ended >= each.ended ? last : each),
    undefined,
  )
  if (!attempt?.file || !/^[569]$/.test(`${attempt.code}`)) return false
  if (one.errand.kind === 'manifest') return followManifest(world, one, attempt, disturb, isLast)
  if (one.errand.kind !== 'orders' || attempt.code === 5) return false
  const flags = noticedFlags(attempt.err)
  const failed = failedRows(one, attempt)
  const told = new Map<number, string>()
  let file = attempt.file
  let args = attempt.args.filter((word) => word !== '--resume')
  if (flags.length > 0 && (isLast || random.is(0.5))) {
    args = withFlags(args, [random.pick(flags)])
    told.set(0, sentenceWith(attempt.err, args.at(-2)!))
  } else {
    const done = failed && (await carryOut(world, one, failed, args, isLast))
    if (!done) return false
    for (const [at, { message }] of done.rows.entries()) told.set(at + 1, message)
    file = done.file
    args = done.args
  }
  if (told.has(0)) for (const { name } of file.lines) one.advised.set(name, 'pass')
  const course = { ...one, attempts: followed, args, files: [file], box: undefined }
  one.isFollowing = true
  for (let left = 3; left > 0; left -= 1) {
    await tryOnce(world, course, left === 1 && isLast ? {} : disturb(), isLast)
    if (isTold(one.errand, followed.at(-1)!)) break
  }
  one.isFollowing = false
  judge(world, one, told)
  return true
}

/** The same advice again is none. */
function judge(world: World, { errand, followed }: ErrandCourse, told: ReadonlyMap<number, string>): void {
  const { code, out, err, args } = followed.at(-1)!
  if (!isTold(errand, { code } as Attempt)) return
  const wrong = (what: string): void =>
    void world.faults.push(`errand ${errand.no} ${args.join(' ')}: advised again: ${what}`)
  const notice = told.get(0)
  if (notice !== undefined && placeless(err).includes(placeless(notice))) wrong(notice)
  for (const { row, message } of reportIn(out).errors) {
    const before = told.get(row)
    if (before !== undefined && placeless(before) === placeless(message)) wrong(message)
  }
}

/** Rows have other numbers in another file. */
const placeless = (text: string): string => text.replace(/\brows? [\d, and]*\d(?:, line \d+)?/g, 'row')

/** Edits the failed rows whose reasons say how, and leaves out the others. */
async function carryOut(
  world: World,
  one: ErrandCourse,
  { head, rows }: Failed,
  given: readonly string[],
  isLast: boolean,
): Promise<{ rows: Row[]; file: ErrandFile; args: string[] } | undefined> {
  const { errand, advised } = one
  const column = head.findIndex((name) => name === 'external_ref' || name === 'Name')
  const flags: string[] = []
  const edited: Row[] = []
  const cancelled = new Set<string>()
  for (const { row, action } of actionsFor(one, rows, column)) {
    const { line, message, number } = row
    const { does } = action
    if (does === 'cancel' && !cancelled.has(action.order)) {
      if (!(await cancel(world, one, action.order, isLast))) continue
      cancelled.add(action.order)
    }
    // A flag that accepts a word of the row leaves it there.
    const cells = [...(does === 'pass' && action.flag.includes(' ') ? row.given : row.cells)]
    if (does === 'pass') flags.push(action.flag)
    else if (does === 'rest' && !leaveRest(head, cells, message)) continue
    const isKept = does === 'refer' && action.who === 'others' && number < Math.min(...rowsNamed(message))
    if (does !== 'pass' && !isKept) {
      // One order of a shop has one reference in all its rows.
      const others = line.item ? [] : [...rows.filter((other) => other !== row), ...edited]
      cells[column] = otherReference(
        cells[column]!,
        line,
        others.map((other) => other.cells[column]),
      )
    }
    advised.set(line.name, does)
    edited.push({ ...row, cells, line: { ...line, isBad: false, isTwin: false } })
  }
  if (edited.length === 0) return undefined
  const name = newFileName(one)
  const text = stringify([head, ...edited.map(({ cells }) => cells)], { bom: true })
  for (const desk of desks) putFile({ partner: errand.partner, desk }, name, text)
  const file = { head: head.join(), lines: edited.map(({ line }) => line), isUnsure: true }
  return { rows: edited, file, args: withFlags(given.with(2, name), flags) }
}

/**
 * Rows with the same advice and reference are treated alike. Who gave rows of an order other references knows that they have orders, and who
 * made equal rows one order gives them no others.
 */
function actionsFor({ random, advised, repairs }: ErrandCourse, rows: readonly Row[], column: number) {
  const repaired = new Set(repairs.flatMap(({ file }) => file?.lines.map(({ name }) => name) ?? []))
  const chosen = new Map<string, Action | undefined>()
  return rows.flatMap((row) => {
    const key = `${row.cells[column]} ${adviceOf(row.message)}`
    if (!chosen.has(key)) chosen.set(key, actionIn(row.message, random))
    const action = chosen.get(key)
    const { name } = row.line
    if (!action || (action.does === 'rest' && advised.get(name) === 'refer')) return []
    if (action.does === 'refer' && action.who !== 'it' && repaired.has(name)) return []
    return [{ row, action }]
  })
}

/** An operator gives the same order the same new reference each time. */
function otherReference(
  before: string,
  { name }: ErrandLine,
  taken: ReadonlyArray<string | undefined>,
): string {
  let other = before === '' || !before.startsWith(name) ? name : `${before}-again`
  while (taken.includes(other)) other += '-too'
  return other
}

const rowsNamed = (message: string): number[] =>
  (/also in rows? ([\d, and]+)/.exec(message)?.[1]?.match(/\d+/g) ?? []).map(Number)

const adviceOf = (message: string): string => message.split(/: /).at(-1)!

/** Alternatives are separated by "or": one of those that an operator can carry out is chosen. */
function actionIn(message: string, random: Random): Action | undefined {
  const clause = adviceOf(message)
  // A row of a simulated file is another order if it says so itself.
  if (clause.startsWith('if it is another order')) return undefined
  const choices = clause.split(/, or /).flatMap((text): Action[] => {
    const [, flag] = /(--[a-z-]+(?: [a-z_]+)?)/.exec(text) ?? []
    const [, who] = /\bgive (it|each|all but one)\b/.exec(text) ?? []
    if (flag) return [{ does: 'pass', flag: flag.trim() }]
    const [, order] = /\border ([0-9a-f-]{36}) of\b/.exec(message) ?? []
    if (/^cancel it and give\b/.test(text)) return order ? [{ does: 'cancel', order }] : []
    if (who) return [{ does: 'refer', who: who === 'all but one' ? 'others' : (who as 'it' | 'each') }]
    return /^order only what no order of this reference has/.test(text) ? [{ does: 'rest' }] : []
  })
  return choices.length === 0 ? undefined : random.pick(choices)
}

async function cancel(
  world: World,
  { errand, followed }: ErrandCourse,
  order: string,
  isLast: boolean,
): Promise<boolean> {
  const place = { partner: errand.partner, desk: 'own' as const }
  const name = `${nameOf(errand)} cancel ${followed.length} ${order}`
  const args = ['fulfillments', 'cancel', order, '--yes']
  const { code, err } = await runTool(world, name, place, args, {})
  if (isLast && code !== 0 && code !== 5) world.faults.push(`${name} ended with ${code}: ${err}`)
  return code === 0
}

/** Changes a row to what the reason says is missing; false if nothing is. */
function leaveRest(head: readonly string[], cells: string[], message: string): boolean {
  const at = head.findIndex((name) => name === 'quantity' || name === 'Lineitem quantity')
  const sku = cells[head.findIndex((name) => name === 'sku' || name === 'Lineitem sku')]
  const wanted = Number(cells[at])
  const [, had] = /\bquantity was (\d+) in order/.exec(message) ?? []
  const [, some] = new RegExp(`\\b(\\d+) of "${sku}", not \\d+`).exec(message) ?? []
  const count = had ?? some
  if (count === undefined || !sku || wanted <= Number(count)) return false
  cells[at] = String(wanted - Number(count))
  return true
}

/** From the command's help; the tool itself is loaded in a machine of its own. */
const help = readFileSync(join(import.meta.dirname, '../../docs/commands.md'), 'utf8')
  .split('### fulfillments import\n')[1]!
  .split('\n## ')[0]!

/** Flags that a notice, not a row's reason, names with their values. */
function noticedFlags(err: string): string[] {
  const notices = err.split('\n').filter((line) => /^\S/.test(line))
  return notices.flatMap((line) => line.match(/--[a-z-]+ [a-z]+/g) ?? [])
}

function sentenceWith(err: string, flag: string): string {
  return err.split('\n').find((line) => line.includes(flag)) ?? ''
}

/** A flag that takes one value replaces the one of the command. */
function withFlags(given: readonly string[], flags: readonly string[]): string[] {
  const args = [...given]
  for (const words of new Set(flags)) {
    const [flag, value] = words.split(' ') as [string, string | undefined]
    const [, takesValue, about = ''] = new RegExp(`^ +${flag}( <[^>]+>)? +([^-]*)`, 'm').exec(help) ?? []
    const at = args.indexOf(flag)
    if (!takesValue && at < 0) args.push(flag)
    else if (takesValue && (at < 0 || about.includes('repeatable'))) args.push(flag, value ?? '')
    else if (takesValue) args[at + 1] = value ?? ''
  }
  return args
}

function failedRows(one: ErrandCourse, attempt: Attempt): Failed | undefined {
  const errors = errorsFile(one, attempt)
  if (errors === undefined) return undefined
  const { head } = errors
  const file = attempt.file!
  const mended = file.mended?.()
  const rows = errors.rows.flatMap(({ cells, number, message }) => {
    const line = file.lines[number - 1]
    if (!line) return []
    const corrected = mended ? correctedRow(cells, number, file, mended) : cells
    // A reference is changed only as advised.
    const kept = corrected.map((cell, index) =>
      /^(external_ref|Name)$/.test(head[index]!) ? cells[index]! : cell,
    )
    return [{ cells: kept, given: cells, number, line, message }]
  })
  return { head, rows }
}
