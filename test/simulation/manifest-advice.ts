import { stringify } from 'csv-stringify/sync'
import { desks, putFile } from './desks.ts'
import type { ErrandFile, ErrandLine } from './errand-files.ts'
import { type Attempt, type ErrandCourse, isTold, nameOf, newFileName, tryOnce } from './errands.ts'
import { correctedRow, errorsFile } from './repairs.ts'
import type { World } from './run.ts'
import { type Disturbance, runTool } from './tool.ts'

type Next = { reference: string; head: readonly string[]; rows: Array<{ cells: string[]; line: ErrandLine }> }

/** Submits what a report says is not submitted, under the reference that it names. Returns whether it said so. */
export async function followManifest(
  world: World,
  one: ErrandCourse,
  attempt: Attempt,
  disturb: () => Disturbance,
  isLast: boolean,
): Promise<boolean> {
  const { followed, errand, args } = one
  const next = attempt.code === 5 ? await newRows(world, one, attempt) : failedRows(one, attempt, isLast)
  if (next === undefined || next.rows.length === 0) return false
  const { reference, head, rows } = next
  const name = newFileName(one)
  for (const desk of desks)
    putFile(
      { partner: errand.partner, desk },
      name,
      stringify([head, ...rows.map(({ cells }) => cells)], { bom: true }),
    )
  const file = { ...one.files[0]!, lines: rows.map(({ line }) => line) }
  const typed = args.with(2, name).with(args.indexOf('--reference') + 1, reference)
  const course = { ...one, attempts: followed, args: typed, files: [file], box: undefined }
  for (let left = 3; left > 0; left -= 1) {
    await tryOnce(world, course, left === 1 && isLast ? {} : disturb(), isLast)
    const { code, err } = followed.at(-1)!
    if (code === 5 && advisedReference(err) === reference)
      world.faults.push(`errand ${errand.no} ${typed.join(' ')}: advised again: ${reference}`)
    if (code === 5 || isTold(errand, followed.at(-1)!)) break
  }
  return true
}

const advisedReference = (err: string): string | undefined =>
  /(?:under another reference, as|with --reference) ([\w-]+)[.:]/.exec(err)?.[1]

const referenceIn = (args: readonly string[]): string => args[args.indexOf('--reference') + 1]!

/** Those of the file of failed rows, corrected; or the whole file with its rows corrected, as if it could be submitted again. */
function failedRows(one: ErrandCourse, attempt: Attempt, isLast: boolean): Next | undefined {
  const { random } = one
  const { file, err, args } = attempt
  const right = new Map(one.files[0]?.mended?.().lines.map((line) => [line.name, line]))
  const mended = file && { ...file, lines: file.lines.map((line) => right.get(line.name)!) }
  if (!file || !mended) return undefined
  // Without a good row nothing was submitted.
  const reference = attempt.code === 6 ? referenceIn(args) : advisedReference(err)
  const [, errors] = /they are all in (\S+)|the others are in (\S+)/.exec(err)?.filter(Boolean) ?? []
  const failed = errors === undefined ? undefined : errorsFile(one, attempt, errors)
  if (reference === undefined || failed === undefined) return undefined
  const isCorrected = (): boolean => isLast || random.is(0.8)
  if (random.is(0.4)) {
    const lines = mended.lines.map((line, at) => (isCorrected() ? line : file.lines[at]!))
    return { reference: referenceIn(args), ...asRows({ ...file, lines }) }
  }
  const rows = failed.rows.flatMap(({ cells, number }) => {
    const isNow = isCorrected()
    const line = (isNow ? mended : file).lines[number - 1]
    return line ? [{ cells: isNow ? correctedRow(cells, number, file, mended) : cells, line }] : []
  })
  return { reference, head: failed.head, rows }
}

function asRows({ head, lines }: ErrandFile): Pick<Next, 'head' | 'rows'> {
  return { head: head.split(','), rows: lines.map((line) => ({ cells: line.text.split(','), line })) }
}

/** Rows that no manifest of this purchase has, as its operator sees when looking at each. */
async function newRows(world: World, one: ErrandCourse, attempt: Attempt): Promise<Next | undefined> {
  const { attempts, followed, errand } = one
  const reference = advisedReference(attempt.err)
  if (!attempt.file || reference === undefined) return undefined
  const there = new Set<string>()
  const tried = new Set([...attempts, ...followed].map(({ args }) => referenceIn(args)))
  for (const [at, each] of [...tried].entries()) {
    const name = `${nameOf(errand)} look ${followed.length} ${at}`
    const place = { partner: errand.partner, desk: 'own' as const }
    const { code, out } = await runTool(world, name, place, ['manifests', 'show', each, '--output', 'json'])
    if (code === 0)
      for (const { description } of JSON.parse(out).lines) there.add(manifestLineName(description))
    // Without an answer nobody knows.
    else if (code !== 4) return undefined
  }
  const { head, rows } = asRows(attempt.file)
  return { reference, head, rows: rows.filter(({ line }) => !there.has(line.name)) }
}

export const manifestLineName = (description: string): string => description.split('n').at(-1)!

/** A manifest's failed rows may be in others, named as a report advises. */
export const isOfPurchase = (reference: string, name: string): boolean =>
  reference === name || reference.startsWith(`${name}-2`)
