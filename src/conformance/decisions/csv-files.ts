import { entriesOf } from '../check.ts'
import { csvBytes, rowCodes, submitCsv, upload } from '../csv-uploads.ts'
import { each, faulty, holds, same } from '../expectations.ts'
import type { Seen, World } from '../world.ts'

/** Decisions 5: the form of a CSV file, and why a whole file is refused. */
export const csvFileDecisions = entriesOf({
  'D5-1 a byte-order mark is allowed; lines end with CRLF, LF or CR': async (world) => {
    for (const end of ['\r\n', '\n', '\r']) {
      const text = `\ufeffdescription,quantity${end}One,2${end}Two,1`
      same(await descriptions(world, text), ['One', 'Two'], 'lines')
    }
  },
  'D5-2 quoting is that of RFC 4180: commas, quotes and line breaks within quotes': async (world) => {
    const text = 'description,quantity\n"A, ""B"" and\nC",1\n"D",1\n'
    same(await descriptions(world, text), ['A, "B" and\nC', 'D'], 'descriptions')
  },
  'D5-3 columns stand in any order, matched after trimming and lower-casing': async (world) => {
    const { created } = await submitCsv(world, ' Quantity , DESCRIPTION,External_Ref\n3,One,R-1\n')
    same([created[0]?.quantity, created[0]?.external_ref], [3, 'R-1'], 'quantity and external_ref')
  },
  'D5-4 blank lines are skipped and not counted; row is the ordinal of the record, line breaks in fields or not':
    async (world) => {
      const text = 'description,quantity\n\n"One\nin two lines",1\n\n\nBad,x\nTwo,1\nBad,x\n'
      const { errors, totals } = await submitCsv(world, text)
      same(each(errors, 'row'), [2, 4], 'rows of the errors')
      same(totals, { created: 2, failed: 2, submitted: 4 }, 'totals')
    },
  'D5-5 an empty field means that it is not given': async (world) => {
    const { created } = await submitCsv(world, 'description,external_ref,quantity,sku\nOne,,,\n')
    const { external_ref, quantity, sku } = created[0] ?? {}
    same([external_ref, quantity, sku], [null, 1, null], 'the line')
  },
  'D5-6 the whole file is refused, and nothing written, when it is not a CSV of this kind': async (world) => {
    const bad: Array<[string, Uint8Array]> = [
      ['not UTF-8', Buffer.from([...Buffer.from('description\nPok'), 0xe9, 0x6d, 0x6f, 0x6e])],
      ['a NUL', Buffer.from('description\nA\0B\n')],
      ['no header', Buffer.from('')],
      ['blank lines alone', Buffer.from('\n\n')],
      ['a header twice', csvBytes('description,Description', 'A,B')],
      ['a required column missing', csvBytes('sku,quantity', 'A,1')],
      ['an unterminated quote', csvBytes('description', '"One')],
      ['text after a quote', csvBytes('description', '"One"x')],
      ['no data row', csvBytes('description')],
    ]
    for (const [what, file] of bad) await refusedWhole(world, file, what)
  },
  'D5-7 an unknown column refuses the file and suggests the closest name that is known': async (world) => {
    const seen = await refusedWhole(world, csvBytes('descripton,quantity', 'A,1'), 'an unknown column')
    holds(seen.text.includes('description'), 'the right name is suggested', seen.text)
  },
  'D5-8 limits: 50,000 data rows and 32 KiB a field; beyond them the file is refused': async (world) => {
    const rows = Array.from({ length: 50_001 }, () => 'A')
    await refusedWhole(world, csvBytes('description', ...rows), '50,001 rows')
    const long = csvBytes('description', 'x'.repeat(32 * 1024 + 1))
    await refusedWhole(world, long, 'a field of 32 KiB and a byte')
  },
  'D5-9 limit: 20 MiB a file':
    'test/domain/csv-file.test.ts: an upload may have 20 MiB, 50,000 rows and 32 KiB a field',
  'D5-10 a row with a wrong number of fields fails by itself': async (world) => {
    const { errors, created } = await submitCsv(
      world,
      'description,quantity\nOne,1\nTwo\nThree,1,1\nFour,1\n',
    )
    same(rowCodes(errors), ['2 validation_error', '3 validation_error'], 'errors')
    same(each(created, 'description'), ['One', 'Four'], 'created')
  },
  'D5-11 every row is in exactly one of created and errors; submitted = created + failed; all faults of a row are named':
    async (world) => {
      const text = 'description,grader,quantity\nOne,,1\n,PSA,x\nTwo,,0\n'
      const { created, errors, totals } = await submitCsv(world, text)
      same(totals, { created: created.length, failed: errors.length, submitted: 3 }, 'totals')
      const named = Object.keys(errors[0]?.fields ?? {}).sort()
      same(named, ['cert_number', 'description', 'quantity'], 'fields of row 2')
    },
})

async function descriptions(world: World, text: string): Promise<string[]> {
  return each((await submitCsv(world, text)).created, 'description')
}

/** Uploads a file that must be refused with 400, and checks that no manifest was created. */
async function refusedWhole(world: World, file: Uint8Array, what: string): Promise<Seen> {
  const reference = world.unique('PO')
  const seen = await world.ask('submitManifestCsv', upload(file, [['reference', reference]]))
  holds(seen.status === 400, `${what} is refused whole`, seen.text)
  faulty(seen)
  same((await world.client.listManifests({ query: { reference } })).data.total, 0, `manifests after ${what}`)
  return seen
}
