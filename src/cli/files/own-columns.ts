import { closestName } from '../../domain/closest-name.ts'
import { nameKey } from '../../domain/csv/csv-header.ts'
import { CliError, didYouMean, invalid, usage } from '../base/cli-error.ts'
import type { FileKind } from './file-kind.ts'
import type { Rule } from './presets.ts'

const goods = {
  cert_number:
    'cert, cert no, cert nr, cert num, certificate, certificate no, certificate number, certification number, cert id, zertifikat, zertifikatsnummer, certificado, n\u00famero de certificado, certificat, num\u00e9ro de certificat',
  grader:
    'grading company, grade company, slab company, grade issuer, graded by, grader name, grading service, professional grader, authenticator, pr\u00fcfer, pr\u00fcfunternehmen, empresa certificadora, soci\u00e9t\u00e9 de certification',
  quantity: 'qty, count, pcs, units, menge, anzahl, st\u00fcck, cantidad, quantit\u00e9',
  sku: 'sku no, product code, item sku, artikelnummer',
}

const synonyms: Readonly<Record<FileKind['name'], Readonly<Record<string, string>>>> = {
  manifest: {
    ...goods,
    description:
      'item, item name, item description, title, name, product, product name, card, card name, beschreibung, bezeichnung, artikel, descripci\u00f3n',
    external_ref: 'reference, ref, order number, order no, order id, po number, po no',
  },
  arrivals: {
    ...goods,
    name: 'description, item, item name, title, product name, card, card name',
    set: 'set name',
    card_number: 'card no, number',
  },
  products: {
    name: 'title, product, product name, item, item name, description, bezeichnung',
    sku: 'sku no, item no, item number, item sku, product code, artikelnummer',
    upc: 'barcode, ean, gtin, upc code, upc no',
    dimension_unit: 'dimensions unit, size unit',
    weight_unit: 'unit of weight',
    image_url: 'image, picture, photo, photo url',
  },
  fulfillments: {
    quantity: goods.quantity,
    sku: goods.sku,
    recipient_name:
      'name, recipient, full name, customer name, ship to name, ship to, deliver to, empf\u00e4nger, destinatario, destinataire',
    street:
      'address, address 1, address1, address line 1, street 1, street address, stra\u00dfe, direcci\u00f3n, calle, adresse, rue',
    street_2: 'address 2, address2, address line 2, street 2, apartment, suite',
    city: 'town, ort, stadt, ciudad, ville',
    state: 'province, region, county, state province, provincia',
    zip: 'zip code, zipcode, postal code, postcode, plz, postleitzahl, c\u00f3digo postal, code postal',
    country: 'country code, land, pa\u00eds, pays',
    external_ref: 'reference, ref, order, order number, order no, order id',
    special_instructions: 'instructions, delivery instructions, special instructions',
    deliver_by: 'deliver before, due date, needed by',
  },
}

export type NamedColumns = {
  renamed: ReadonlyArray<readonly [string, string]>
  ignored: readonly string[]
  given: readonly string[]
}

export type OwnColumns = {
  columns: Record<string, Rule>
  /** Columns recognised by another name; printed before anything is sent. */
  understood: ReadonlyArray<readonly [string, string]>
  unknown: string[]
  lacking: string[]
}

/** Order of precedence: --map, our own names, other names for ours. */
export function ownColumns(kind: FileKind, header: readonly string[], named: NamedColumns): OwnColumns {
  const columns: Record<string, Rule> = {}
  const understood: Array<readonly [string, string]> = []
  const ignored = [...kind.marks, ...named.ignored]
  const left = header.filter((name) => nameKey(name) !== '' && findColumn(ignored, name) === undefined)
  const taken = new Set<string>()
  const take = (ours: string | undefined, theirs: string): boolean => {
    if (ours === undefined || columns[ours] !== undefined || taken.has(theirs)) return false
    columns[ours] = theirs
    taken.add(theirs)
    return true
  }
  for (const [theirs, ours] of named.renamed) {
    const name = findColumn(header, theirs)
    if (name !== undefined) take(ours, name)
  }
  for (const name of left) take(findColumn(kind.columns.known, name), name)
  for (const name of left) {
    const ours = synonymOf(kind, name)
    if (take(ours, name)) understood.push([name, ours ?? ''])
  }
  return {
    columns,
    understood,
    unknown: left.filter((name, at) => !taken.has(name) || left.indexOf(name) < at),
    lacking: kind.columns.required.filter(
      (name) =>
        columns[name] === undefined &&
        !named.given.includes(name) &&
        !(name === kind.fromCatalog && columns.sku !== undefined),
    ),
  }
}

export function headerRejection(
  kind: FileKind,
  file: string,
  header: readonly string[],
  own: OwnColumns,
  otherHint?: string,
): CliError {
  if (header.length === 1 && header[0]?.includes('|'))
    return invalid(
      `${file} is separated by "|".`,
      'Save it with commas, semicolons, or tabs between the columns.',
    )
  const known = `the columns are ${kind.columns.known.join(', ')}`
  const meanings = meaningsOf(kind, own)
  const faults = own.unknown.map((name) => {
    if (header.indexOf(name) < header.lastIndexOf(name))
      return { name, problem: 'appears twice', sentence: `has the column ${name} twice` }
    const meant = meanings.get(name)
    const advice = meant && `did you mean ${meant}?`
    const problem = advice ? `is not known; ${advice}` : 'is not known'
    return { name, problem, sentence: `has an unknown column "${name}": ${advice ?? known}` }
  })
  for (const name of own.lacking)
    faults.push({ name, problem: 'is required but missing', sentence: `lacks the required column ${name}` })
  const flags = flagsFor(own, meanings)
  const rename = `Rename a column with --map theirs=ours, or leave it out with --ignore-columns${flags && `, as in: ${flags}`}`
  const hint = [otherHint, rename].filter(Boolean).join(' ')
  const [first, ...others] = faults
  if (others.length === 0) return invalid(`${file} ${first?.sentence}.`.replace('?.', '?'), hint)
  const fields = Object.fromEntries(faults.map(({ name, problem }) => [name, [problem]]))
  return new CliError('invalid', `${file} has a header that does not match; ${known}.`, { fields, hint })
}

/** Suggests for each unknown column one of our columns that the file lacks, each at most once. */
function meaningsOf(kind: FileKind, { columns, unknown }: OwnColumns): Map<string, string> {
  const free = new Set(kind.columns.known.filter((name) => columns[name] === undefined))
  const meanings = new Map<string, string>()
  for (const name of unknown) {
    const ours = closestName(name, [...free])
    if (ours === null) continue
    free.delete(ours)
    meanings.set(name, ours)
  }
  return meanings
}

function flagsFor({ unknown, lacking }: OwnColumns, meanings: Map<string, string>): string {
  const ignored = unknown.filter((name) => !meanings.has(name))
  const meant = new Set(meanings.values())
  const maps = [...meanings].map(([theirs, ours]) => `--map "${theirs}=${ours}"`)
  for (const name of lacking) if (!meant.has(name)) maps.push(`--map "THEIRS=${name}"`)
  return [...maps, ...(ignored.length > 0 ? [`--ignore-columns "${ignored.join(',')}"`] : [])].join(' ')
}

export function columnNamed(header: readonly string[], wanted: string, flag = '--map'): string {
  const found = findColumn(header, wanted)
  if (found !== undefined) return found
  const names = header.filter((name) => name.trim() !== '')
  const advice = flag === '--map' && wanted.includes('=') ? 'Give each column its own --map.' : undefined
  throw usage(
    `${flag}: the file has no column "${wanted}".`,
    advice ?? didYouMean(wanted, header, `Its columns are ${names.join(', ')}.`),
  )
}

export function findColumn(header: readonly string[], wanted: string): string | undefined {
  return header.find((name) => nameKey(name) === nameKey(wanted))
}

function synonymOf(kind: FileKind, name: string): string | undefined {
  const key = nameKey(name)
  return Object.entries(synonyms[kind.name]).find(([, words]) => words.split(', ').includes(key))?.[0]
}
