import { certKey, type Grading, isSameCertificate } from '../../../domain/graders/certificate.ts'
import { CliError } from '../../base/cli-error.ts'
import { counted } from '../../base/counted.ts'
import type { Session } from '../../command.ts'
import { readSlabRows, type SlabRow } from '../../items/slab-rows.ts'

type Valued = Omit<SlabRow, 'value'> & { cents: number }

/** Values are in hundredths, so that sums are exact. */
export type Values = {
  of(slab: Grading & { qid: string }): number | undefined
  tell(session: Session, held: ReadonlyArray<Grading & { qid: string }>): void
}

/** Throws `invalid` naming rows that cannot be read or contradict each other. */
export async function readValues(
  session: Session,
  file: string,
  valueColumn: string | undefined,
): Promise<Values> {
  const rows = await readSlabRows(session, file, valueColumn === undefined ? {} : { valueColumn })
  const columns = [...(rows[0]?.value.keys() ?? [])]
  const column = columns.find((title) => rows.some(({ value }) => value.get(title)))
  if (column === undefined) throw noValues(file, columns)
  const given = rows
    .map((row) => ({ ...row, value: row.value.get(column) ?? '' }))
    .filter(({ value }) => value !== '')
  const faults: Record<string, string[]> = {}
  const amounts = given.map(({ value }) => value).filter((value) => /\d/.test(value))
  const signs = new Set(amounts.map((value) => value.replaceAll(/[\d\s.,'-]/g, '').toUpperCase()))
  signs.delete('')
  if (signs.size > 1)
    throw new CliError('invalid', `${file} mixes currencies: ${[...signs].join(', ')}.`, {
      hint: 'Convert the values to one currency.',
    })
  const byKey = new Map<string, Valued[]>()
  for (const row of given) {
    const cents = centsOf(row.value)
    const key = row.qid ?? certKey(row.cert_number ?? '')
    const before = byKey.get(key)?.find((other) => row.qid !== null || isSameCertificate(other, row))
    if (row.damage !== undefined) faults[`line ${row.line}`] = [row.damage]
    else if (areThousands.test(row.value.replaceAll(/[^\d.,]/g, '')))
      faults[`line ${row.line}`] = [`"${row.value}" may mean thousands: write it without a separator`]
    else if (cents === undefined) faults[`line ${row.line}`] = [`"${row.value}" is not an amount`]
    else if (before !== undefined && before.cents !== cents)
      faults[`line ${row.line}`] = [`${row.given} has another value in line ${before.line}`]
    else if (before === undefined && key !== '')
      byKey.set(key, [...(byKey.get(key) ?? []), { ...row, cents }])
  }
  if (Object.keys(faults).length > 0)
    throw new CliError('invalid', `${file} has values that cannot be used.`, { fields: faults })
  const rowOf = ({ qid, ...slab }: Grading & { qid: string }): Valued | undefined =>
    byKey.get(qid)?.[0] ??
    (slab.cert_number
      ? byKey.get(certKey(slab.cert_number))?.find((row) => isSameCertificate(row, slab))
      : undefined)
  return {
    of: (slab) => rowOf(slab)?.cents,
    tell({ notice }, held) {
      const used = new Set(held.map(rowOf))
      const without = held.filter((slab) => rowOf(slab) === undefined).length
      const nameless = given.filter(({ qid, cert_number }) => (qid ?? cert_number) === null).length
      const unused = [...byKey.values()].flat().filter((row) => !used.has(row)).length
      tellColumn(notice, file, column, columns)
      tellTwice(
        notice,
        [...Map.groupBy(held, rowOf)].flatMap(([row, slabs]) => (row && slabs.length > 1 ? [slabs] : [])),
      )
      if (without > 0) notice(`${counted(without, 'item')} held without a value in ${file}`)
      if (unused > 0) notice(`${counted(unused, 'row')} of ${file} for items that are not held`)
      if (nameless > 0)
        notice(`${counted(nameless, 'row')} of ${file} with a value but without a certificate or QID`)
    },
  }
}

type Notice = Session['notice']

function tellColumn(notice: Notice, file: string, column: string, columns: readonly string[]): void {
  const others = columns.filter((title) => title !== column).map((title) => `"${title}"`)
  const unread = others.length > 0 ? `, not from ${others.join(' or ')}` : ''
  notice(`Values are from column "${column}" of ${file}${unread}`)
}

function tellTwice(notice: Notice, twice: ReadonlyArray<ReadonlyArray<{ qid: string }>>): void {
  const [first] = twice
  if (first === undefined) return
  notice(
    `${counted(twice.length, 'value counts', 'values count')} more than once, as the slab is held under several QIDs: ` +
      `${first.map(({ qid }) => qid).join(', ')}${twice.length > 1 ? ' and others' : ''}`,
  )
}

function noValues(file: string, columns: readonly string[]): CliError {
  const why =
    columns.length === 0
      ? 'no column is named value, price, or similar'
      : `${columns.map((title) => `"${title}"`).join(' and ')} ${columns.length > 1 ? 'are' : 'is'} empty`
  return new CliError('invalid', `${file} has no values: ${why}.`, {
    hint: 'Name the column with --value-column.',
  })
}

/** May be read in two ways: as thousands, or as a fraction of three digits. */
const areThousands = /^(?:[1-9]\d{0,2}(?:\.\d{3})+|0,\d{3})$/

/** `$1,234.50`, `1.234,50 €`, `1234.5`: hundredths; undefined for anything else. */
function centsOf(text: string): number | undefined {
  const bare = text.replaceAll(/[^\d.,-]/g, '')
  const isComma = /,\d{1,2}$/.test(bare) && !/\.\d{1,2}$/.test(bare)
  const plain = isComma ? bare.replaceAll('.', '').replace(',', '.') : bare.replaceAll(',', '')
  if (!/^\d{1,12}(\.\d+)?$/.test(plain)) return undefined
  return Math.round(Number(plain) * 100)
}
