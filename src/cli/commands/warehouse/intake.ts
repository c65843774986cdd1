import { arrivalsKnownDays, nameMax, receivedUnitsMax, refMax } from '../../../contract/limits.ts'
import type { IntakeEvent } from '../../../contract/resources/item.ts'
import { sha256 } from '../../../domain/computing.ts'
import { cell, optionalQuantity, optionalText } from '../../../domain/csv/csv-cells.ts'
import { type CsvColumns, quoted } from '../../../domain/csv/csv-header.ts'
import { addFault, type RowCheck, rowChecker, unknownSkuMessage } from '../../../domain/csv/csv-row.ts'
import { withGradeApart } from '../../../domain/graders/graders.ts'
import { slabFaults } from '../../../domain/graders/slab-faults.ts'
import { arrivalFaults } from '../../../domain/items/arrival.ts'
import type { UnitOfWork } from '../../../engine/context.ts'
import {
  type EarlierArrivals,
  findEarlierArrivals,
  keepArrivals,
  type SentArrivals,
} from '../../../engine/intake/arrival-files.ts'
import { loadCatalog, type WarehouseArrival } from '../../../engine/intake/arrivals.ts'
import { type HeldSlab, heldSlabs } from '../../../engine/intake/held-slabs.ts'
import { intakeArrivals } from '../../../engine/intake/warehouse-intake.ts'
import { CliError, rejectTwo, usage } from '../../base/cli-error.ts'
import { counted } from '../../base/counted.ts'
import { readInput } from '../../base/input-file.ts'
import { visible } from '../../base/terminal-text.ts'
import { noticedTime } from '../../base/times.ts'
import type { CommandFile, Session } from '../../command.ts'
import { arrivalFlags, bodyOf, rejectItemFlags, withFlags } from '../../command-line/body-flags.ts'
import { errorColumns, type FileKind, located, placeOf, type RowPlace } from '../../files/file-kind.ts'
import { type FormatOptions, withSavedMaps } from '../../files/format-flags.ts'
import { wholeNumber } from '../../find/filters.ts'
import { formOptions } from '../../imports/import-options.ts'
import { showWarnings } from '../../imports/import-report.ts'
import { readWholeFile } from '../../manifests/manifest-rows.ts'
import { arrivalList } from '../../views/items.ts'
import { manifestId } from './find.ts'
import { heldAs } from './scanner.ts'
import { inWarehouse, type PlaceOptions, placeOptions } from './warehouse-work.ts'

type Options = PlaceOptions &
  Omit<FormatOptions, 'set'> &
  Partial<Record<'set' | 'manifest' | 'delivery', string> & Record<'lint' | 'again', boolean>>

export const command: CommandFile<[string | undefined, Options]> = {
  summary: 'Receive arrivals: the rows of a CSV file, or one by flags',
  details:
    'Columns for products: sku, quantity. For slabs: grader, grade, cert_number, name, set, card_number. For both: category, ' +
    'condition_flags (separated by semicolons).\n' +
    'Each item gets its QID and is matched to an open manifest line. custody receives the whole file or none of it. --delivery names ' +
    'the delivery: sending it again shows its first result, and another delivery with equal rows is received. Without --delivery, ' +
    `rows that were received within ${arrivalsKnownDays} days are rejected, also with further rows next to them. Unless you pass --no-lint, custody also rejects a slab ` +
    'that is already in custody (same grader and certificate), a grade that the grader does not give, and a number that cannot be ' +
    'its certificate. If a customer returned a slab, use custody warehouse return.',
  examples: [
    'warehouse intake arrivals.csv --delivery 2026-11-25-1 --manifest PO-1042',
    'warehouse intake --sku PKM-151-ETB --quantity 3',
    'warehouse intake --grader PSA --grade 9 --cert-number 48201934 --flag cracked_case --environment production',
  ],
  define: (intake) =>
    placeOptions(
      formOptions(
        withFlags(
          intake.argument('[file]', 'CSV or Excel (.xlsx) file; - for stdin').optionsGroup('One arrival:'),
          arrivalFlags,
        ).optionsGroup('How:'),
        'Skip the checks for spreadsheet damage, impossible slabs, and slabs in custody',
      )
        .option('--manifest <manifest>', 'Manifest they belong to: its id or reference')
        .option('--delivery <ref>', 'Name of the delivery, which is received once')
        .option('--again', 'Receive the file again, as another delivery'),
    ),
  isOffline: true,
  view: () => arrivalList,
  run,
}

async function run(session: Session, file: string | undefined, typed: Options): Promise<void> {
  if (file !== undefined) rejectItemFlags(typed)
  else if (typed.again) throw usage('--again is for a file of arrivals.')
  const delivery = deliveryOf(typed, file)
  // Here `set` is the set of a card.
  const { set: _card, ...forms } = typed
  const options = withSavedMaps<Omit<Options, 'set'> & FormatOptions>(session.io, forms)
  const bytes = file === undefined ? undefined : await readInput(session.io, file)
  const read =
    file !== undefined && bytes ? await readArrivals(session, { name: file, bytes }, options) : undefined
  const given = read ?? fromFlags(session, typed)
  const arrivals = given.arrivals.map(({ arrival }) => arrival)
  const intakes = await inWarehouse(session, typed, async (work) => {
    const manifest = typed.manifest === undefined ? null : await manifestId(work, typed.manifest)
    const sent = file && read && { ...read.identity, delivery, manifestId: manifest }
    const mayRepeat = sent && !typed.again && given.faults.length === 0
    const earlier = mayRepeat ? await findEarlierArrivals(work, sent) : undefined
    if (earlier?.kind === 'repeated') {
      session.notice(`Delivery ${delivery} was received before; this is its first result.`)
      return earlier.intakes
    }
    const blocked = earlier && blockedBy(session, earlier, arrivals, delivery, file ?? '')
    if (blocked && earlier.kind !== 'rows') throw blocked
    await rejectFaulty(work, given, { file, lint: typed.lint !== false })
    // Faulty rows are named first: they may be the rows that the file gained.
    if (blocked) throw blocked
    const docs = await intakeArrivals(work, arrivals, { manifestId: manifest })
    if (sent) await keepArrivals(work, sent, docs.length)
    return docs
  })
  const items = intakes.map((doc): IntakeEvent => JSON.parse(doc))
  const isLate = typed.manifest !== undefined && items[0]?.manifest_id === null
  session.notice(
    `${counted(items.length, 'item')}${isLate ? `, for no manifest: ${typed.manifest} is closed` : ''}`,
  )
  await (await session.printer()).all(items)
}

function deliveryOf({ delivery, again }: Options, file: string | undefined): string | null {
  if (delivery === undefined) return null
  if (file === undefined) throw usage('--delivery is for a file of arrivals.')
  rejectTwo({ '--delivery': delivery, '--again': again }, 'Use a different name for a different delivery.')
  if ([...delivery].length > refMax) throw usage(`--delivery has more than ${refMax} characters.`)
  return delivery
}

function blockedBy(
  { io }: Session,
  { kind, first, count }: Exclude<EarlierArrivals, { kind: 'repeated' }>,
  arrivals: readonly WarehouseArrival[],
  delivery: string | null,
  file: string,
): CliError {
  const at = noticedTime(io, first.intake_at)
  const what = `${counted(count, 'item')}, the first ${first.qid}`
  const received = {
    content: `The rows of ${file} were received at ${at}`,
    rows: `${file} has all products of a file that was received at ${at}`,
    delivery: `Delivery ${delivery} was received at ${at} with other rows or for another manifest`,
  }[kind]
  const another = 'If this is another delivery, name it with --delivery, or pass --again.'
  // A slab can arrive again only after it left, and then in another file.
  const hasSlabs = arrivals.some(({ type }) => type === 'graded_slab')
  const hint = {
    content: hasSlabs ? 'If more of its products arrived, import only their rows.' : another,
    rows: `If more arrived, import only those rows. ${another}`,
    delivery: 'If more arrived, import only those rows, with another --delivery.',
  }[kind]
  return new CliError('conflict', `${received}: ${what}. Nothing was received now.`, { hint })
}

function fromFlags(session: Session, options: Options): Arrivals {
  const { quantity, ...item }: Item & { quantity?: string } = bodyOf(arrivalFlags, options)
  const { sku, grader, grade, cert_number } = item
  if (sku === undefined && grader === undefined && cert_number === undefined) {
    throw usage('Nothing to receive: give a CSV file, --sku, or --grader, --grade, and --cert-number.')
  }
  const count = quantity === undefined ? 1 : wholeNumber(quantity, '--quantity', 1)
  if (sku === undefined && count > 1) throw usage('--quantity is for products: a slab is one item.')
  const arrival = arrivalOf(item)
  const missing = Object.entries(arrivalFaults(arrival)).map(([field, [message = '']]) => ({
    field,
    message,
  }))
  const impossible = options.lint === false ? [] : lintSlab(session, { grader, grade, cert_number })
  return {
    arrivals: Array.from({ length: count }, () => ({ row: 1, line: 1, arrival })),
    faults: [...missing, ...impossible].map((fault) => ({ row: 1, line: 1, ...fault })),
    hint: impossible.length > 0 ? 'Correct it, or receive it as it is with --no-lint.' : undefined,
  }
}

/** Shows warnings; returns what makes the slab impossible. */
function lintSlab(session: Session, slab: Parameters<typeof slabFaults>[0]): ReturnType<typeof slabFaults> {
  const faults = slabFaults(slab)
  for (const { field, message } of faults.filter(({ isCertain }) => !isCertain))
    session.warn(`Warning: ${field} ${visible(message)}.`)
  return faults.filter(({ isCertain }) => isCertain)
}

/** The texts of an arrival, each with its most characters. */
const texts = {
  sku: refMax,
  grader: refMax,
  grade: refMax,
  cert_number: refMax,
  name: nameMax,
  set: nameMax,
  card_number: refMax,
  category: refMax,
}
type TextName = keyof typeof texts
const textNames = Object.keys(texts) as TextName[]
const names = [...textNames, 'condition_flags', 'quantity'] as const
type Row = RowCheck<(typeof names)[number]>
type Item = { [Name in TextName]?: string } & { condition_flags?: string[] }

function arrivalOf({ condition_flags = [], ...given }: Item): WarehouseArrival {
  const item = withGradeApart(given)
  // The hash of a file depends on this order.
  const found = (['sku', 'name', ...textNames] as const).flatMap((name) =>
    item[name] === undefined ? [] : [[name, item[name]] as const],
  )
  const type = given.sku === undefined ? 'graded_slab' : 'product'
  return { type, condition_flags, ...Object.fromEntries(found) }
}

const intakeColumns: CsvColumns = { known: names, required: [] }

const arrivalsFile: FileKind<Read> = {
  name: 'arrivals',
  columns: intakeColumns,
  checker: (header) => rowChecker(header, readRow),
  codes: ['sku', 'grader', 'cert_number'],
  marks: errorColumns,
}

type Read = { arrival: WarehouseArrival; quantity: number }

type FileArrivals = Arrivals & { identity: Pick<SentArrivals, 'content' | 'rows'> }

/** A row with a SKU stands for units of a product, any other row for one slab. */
async function readArrivals(
  session: Session,
  file: { name: string; bytes: Buffer },
  options: FormatOptions & { lint?: boolean },
): Promise<FileArrivals> {
  const { bad, accepted, readable, warnings, places } = await readWholeFile<Read>(
    session,
    arrivalsFile,
    file,
    options,
  )
  await showWarnings(
    session,
    warnings.map((lint) => located(lint, places)),
  )
  const units = accepted.flatMap((read) => Array.from({ length: read.value.quantity }, () => read))
  if (units.length > receivedUnitsMax)
    throw new CliError('invalid', `${file.name} has more than ${receivedUnitsMax} units: split it.`)
  // The quantity of a faulty row may be wrong, so its units are not counted.
  const arrivals = [...units, ...readable]
    .sort((a, b) => a.row - b.row)
    .map(({ row, value }) => ({ ...places.of(row), arrival: value.arrival }))
  const faults = bad.map((error) => {
    const { row, line, message } = located(error, places)
    return { row, line, message: message.replace(/\.$/, '') }
  })
  // In a fixed order, so that sorting or saving the file in another form changes nothing.
  const content = sha256(JSON.stringify(arrivals.map(({ arrival }) => JSON.stringify(arrival)).sort()))
  const skuColumn = places.nameOf('sku')
  return { arrivals, faults, skuColumn, identity: { content, rows: accepted.map(({ value }) => value) } }
}

function readRow(row: Row): Read {
  const item: Item = { condition_flags: flagsOf(cell(row, 'condition_flags')) }
  for (const name of textNames) {
    const text = optionalText(row, name, texts[name])
    if (text !== null) item[name] = text
  }
  const arrival = arrivalOf(item)
  for (const [field, messages] of Object.entries(arrivalFaults(arrival)))
    for (const message of messages) addFault(row, field, message)
  const quantity = optionalQuantity(row, receivedUnitsMax) ?? 1
  if (item.sku === undefined && quantity > 1) addFault(row, 'quantity', 'must be 1: a slab is one item')
  return { arrival, quantity }
}

function flagsOf(text: string | null): string[] {
  return (text ?? '').split(/[;|]/).flatMap((flag) => flag.trim() || [])
}

type RowArrival = RowPlace & { arrival: WarehouseArrival }
/** If `field` is missing, the message names it. */
type Fault = RowPlace & { field?: string; message: string }

/** `faults`: found without the database. Faulty rows are among `arrivals`, as far as they can be read. */
type Arrivals = {
  arrivals: readonly RowArrival[]
  faults: readonly Fault[]
  skuColumn?: string | undefined
  hint?: string | undefined
}

/** Throws a `CliError` that names all that cannot be received. `lint`: also slabs in custody, so that a corrected file receives none twice. */
async function rejectFaulty(
  work: UnitOfWork,
  { arrivals, faults, skuColumn = 'sku', hint }: Arrivals,
  { file, lint }: { file: string | undefined; lint: boolean },
): Promise<void> {
  const sent = arrivals.map(({ arrival }) => arrival)
  const catalog = await loadCatalog(work, sent)
  const unknown = arrivals.filter(({ arrival: { sku } }) => sku !== undefined && !catalog.has(sku))
  const held = lint ? await heldSlabs(work, sent) : []
  const all: Fault[] = [
    ...faults,
    ...unknown.map(({ row, line, arrival: { sku } }) => {
      return { row, line, field: skuColumn, message: `${quoted(sku ?? '')} ${unknownSkuMessage}` }
    }),
    ...held.map((slab) => {
      const { row = 0, line = 0, arrival } = arrivals[slab.at] ?? {}
      return { row, line, message: `${nameOf(arrival)} ${heldWhere(slab, arrivals)}` }
    }),
  ].sort((a, b) => a.row - b.row)
  if (all.length === 0) return
  const ending = held.length === all.length ? 'conflict' : 'invalid'
  const advice = held.length > 0 ? hintOf(held, file) : hint
  const isFile = file !== undefined
  const texts = (some: readonly Fault[]): string[] => [...new Set(some.map(textOf))]
  const rows = Map.groupBy(all, placeOf)
  const fields = isFile
    ? [...rows].map(([row, some]) => [row, texts(some)])
    : all.flatMap(({ field, message }) => (field === undefined ? [] : [[field, [message]]]))
  const message = isFile
    ? `${counted(rows.size, 'row')} of ${file} cannot be received`
    : texts(all).join('; ')
  throw new CliError(ending, `${message}; nothing was received.`, {
    fields: Object.fromEntries(fields),
    hint: advice,
  })
}

function textOf({ field, message }: Fault): string {
  return field === undefined ? message : `${field} ${message}`
}

function nameOf({ grader, cert_number }: Partial<WarehouseArrival> = {}): string {
  return [grader, cert_number].filter((text) => text !== undefined).join(' ')
}

function heldWhere(slab: HeldSlab, arrivals: readonly RowArrival[]): string {
  const before = 'before' in slab && arrivals[slab.before]
  if (before) return `is also in ${placeOf(before)}`
  return `is already in custody${heldAs(slab)}`
}

function hintOf(held: readonly HeldSlab[], file: string | undefined): string {
  const known = held.filter((slab) => 'item' in slab)
  const isOthers = known.some(({ partner }) => partner !== undefined)
  const sent = known.find(({ item, partner }) => item.status === 'in_transit' && partner === undefined)
  const advice = [
    ...(sent
      ? [`If its parcel came back: custody warehouse return ${sent.item.active_fulfillment_id}.`]
      : []),
    ...(isOthers ? ['Check the partner.'] : []),
    ...(file === undefined ? ['Check the grader and the number on its label.'] : []),
    ...(file !== undefined && known.length > 0 ? ['Delete the rows of slabs in custody.'] : []),
    ...(known.length < held.length ? ['Correct or delete rows that repeat another.'] : []),
  ]
  return advice.join(' ')
}
