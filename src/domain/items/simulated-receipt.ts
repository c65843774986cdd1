import { receivedUnitsMax } from '../../contract/limits.ts'
import type { ManifestLine } from '../../contract/resources/manifest.ts'
import type { Arrival, Receive } from '../../contract/resources/sandbox.ts'
import { isBlank } from '../graders/certificate.ts'
import { lineGrade } from '../manifests/matching.ts'
import { type FieldErrors, type Given, invalid } from '../rejection.ts'

type AwaitedLine = { line: ManifestLine; awaited: number }

/** `line` describes the units; `isExtra` if it does not expect them. */
type ReceivedUnits = {
  line: ManifestLine
  quantity: number
  condition_flags: readonly string[]
  isExtra?: true
}

export const certRandomBytes = 4

/** `short`: all but the last unit; `excess`: one more, like the last line's; `damaged`: the first flagged (decisions 10, 11). */
export function planReceipt(request: Receive, lines: readonly AwaitedLine[]): ReceivedUnits[] {
  const units = request.lines ? byLine(request.lines, lines) : byOutcome(request.outcome, lines)
  const total = units.reduce((sum, { quantity }) => sum + quantity, 0)
  if (total > receivedUnitsMax) {
    const field = request.lines ? 'lines' : 'outcome'
    throw invalid({ [field]: [`brings ${total} units: at most ${receivedUnitsMax} can be received at once`] })
  }
  return units
}

export function checkReceive(request: Receive): void {
  const fields = receiveFaults(request)
  if (Object.keys(fields).length > 0) throw invalid(fields)
}

/** Errors that the schema cannot find. A field that the schema rejected is present, with the value `undefined`. */
export function receiveFaults(request: Given<Receive>): FieldErrors {
  if (!('outcome' in request) && !('lines' in request))
    return { outcome: ['is required when there are no lines'] }
  return 'outcome' in request && 'lines' in request ? { lines: ['cannot be combined with outcome'] } : {}
}

export function unknownLineFaults(named: Given<Receive['lines']>, ids: ReadonlySet<string>): FieldErrors {
  const fields: FieldErrors = {}
  for (const [at, line] of (named ?? []).entries()) {
    if (line?.line_id === undefined || ids.has(line.line_id.toLowerCase())) continue
    fields[`lines[${at}].line_id`] = ['is not a line of this manifest']
  }
  return fields
}

/** The unit carries its line's key, so that it is matched like a real one. */
export function simulatedArrival(
  { line, condition_flags, isExtra }: ReceivedUnits,
  random: Uint8Array,
): Arrival {
  const flags = [...condition_flags]
  if (!isBlank(line.sku) && isBlank(line.cert_number))
    return { type: 'product', sku: line.sku, condition_flags: flags }
  const named = lineGrade(line)
  const expected = isExtra ? null : line.cert_number
  return {
    type: 'graded_slab',
    name: line.description,
    grader: line.grader ?? named?.grader ?? 'PSA',
    grade: named?.grade ?? '9',
    cert_number: expected ?? simulatedCert(random),
    condition_flags: flags,
  }
}

function byOutcome(outcome: Receive['outcome'], lines: readonly AwaitedLine[]): ReceivedUnits[] {
  const units = lines
    .filter(({ awaited }) => awaited > 0)
    .map(({ line, awaited }): ReceivedUnits => ({ line, quantity: awaited, condition_flags: [] }))
  const first = units[0]
  const last = units.at(-1)
  switch (outcome) {
    case 'short':
      return last ? [...units.slice(0, -1), { ...last, quantity: last.quantity - 1 }] : []
    case 'excess':
      return [...units, ...extraUnit(lines)]
    case 'damaged':
      if (!first) return []
      return [
        { ...first, quantity: 1, condition_flags: ['damaged'] },
        { ...first, quantity: first.quantity - 1 },
        ...units.slice(1),
      ]
    case 'complete':
    case undefined:
      return units
  }
}

function extraUnit(lines: readonly AwaitedLine[]): ReceivedUnits[] {
  const last = lines.at(-1)
  return last ? [{ line: last.line, quantity: 1, condition_flags: [], isExtra: true }] : []
}

function byLine(named: NonNullable<Receive['lines']>, lines: readonly AwaitedLine[]): ReceivedUnits[] {
  const byId = new Map(lines.map(({ line }) => [line.id, line]))
  const fields = unknownLineFaults(named, new Set(byId.keys()))
  if (Object.keys(fields).length > 0) throw invalid(fields)
  return named.map(({ line_id, quantity, condition_flags }) => {
    const line = byId.get(line_id.toLowerCase()) as ManifestLine
    return { line, quantity, condition_flags }
  })
}

/** Eight digits, as graders number their slabs. */
function simulatedCert(random: Uint8Array): string {
  const [a = 0, b = 0, c = 0, d = 0] = random
  return String(10_000_000 + ((a * 0x1000000 + b * 0x10000 + c * 0x100 + d) % 90_000_000))
}
