import { csvFieldBytesMax, csvRowsMax } from '../../contract/limits.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import { each, faulty, holds, present, rejected, same } from '../check.ts'
import type { Seen } from '../service.ts'
import { csvBytes, entriesOf, noQid, rowCodes, rowFields, upload, type World } from '../world.ts'

export const csvDecisions = entriesOf({
  'D5-1 a byte order mark is allowed; lines end with CRLF, LF, or CR': async (world) => {
    for (const end of ['\r\n', '\n', '\r']) {
      const text = `\ufeffdescription,quantity${end}One,2${end}Two,1`
      same(await descriptions(world, text), ['One', 'Two'], 'lines')
    }
  },
  'D5-2 quoting follows RFC 4180: commas, quotes, and line breaks within quotes': async (world) => {
    const text = 'description,quantity\n"A, ""B"" and\nC",1\n"D",1\n'
    same(await descriptions(world, text), ['A, "B" and\nC', 'D'], 'descriptions')
  },
  'D5-3 columns may be in any order, and are matched trimmed and in lower case': async (world) => {
    const { created } = await world.submitCsv(' Quantity , DESCRIPTION,External_Ref\n3,One,R-1\n')
    same([created[0]?.quantity, created[0]?.external_ref], [3, 'R-1'], 'quantity and external_ref')
  },
  'D5-4 blank lines are skipped and not counted; row counts records, whatever line breaks their fields have':
    async (world) => {
      const text = 'description,quantity\n\n"One\nin two lines",1\n\n\nBad,x\nTwo,1\nBad,x\n'
      const { errors, totals } = await world.submitCsv(text)
      same(each(errors, 'row'), [2, 4], 'rows of the errors')
      same(totals, { created: 2, failed: 2, submitted: 4 }, 'totals')
    },
  'D5-5 an empty field counts as omitted': async (world) => {
    const { created } = await world.submitCsv('description,external_ref,quantity,sku\nOne,,,\n')
    const { external_ref, quantity, sku } = created[0] ?? {}
    same([external_ref, quantity, sku], [null, 1, null], 'the line')
  },
  'D5-6 a file that is not a CSV of this kind is rejected as a whole, and nothing is written': async (
    world,
  ) => {
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
    for (const [what, file] of bad) await rejectedWhole(world, file, what)
  },
  'D5-7 an unknown column rejects the file and suggests the closest known name': async (world) => {
    const seen = await rejectedWhole(world, csvBytes('descripton,quantity', 'A,1'), 'an unknown column')
    holds(seen.text.includes('description'), 'the right name is suggested', seen.text)
  },
  'D5-8 the limits are 50,000 data rows and 32 KiB a field; a file beyond them is rejected': async (
    world,
  ) => {
    const rows = Array.from({ length: csvRowsMax + 1 }, () => 'A')
    await rejectedWhole(world, csvBytes('description', ...rows), '50,001 rows')
    const long = csvBytes('description', 'x'.repeat(csvFieldBytesMax + 1))
    await rejectedWhole(world, long, 'a field of 32 KiB and a byte')
  },
  'D5-10 a row with a wrong number of fields fails by itself': async (world) => {
    const { errors, created } = await world.submitCsv('description,quantity\nOne,1\nTwo\nThree,1,1\nFour,1\n')
    same(rowCodes(errors), ['2 validation_error', '3 validation_error'], 'errors')
    same(each(created, 'description'), ['One', 'Four'], 'created')
  },
  'D5-11 every row is in created or errors; submitted = created + failed; all faults of a row are named':
    async (world) => {
      const text = 'description,grader,quantity\nOne,,1\n,PSA,x\nTwo,,0\n'
      const { created, errors, totals } = await world.submitCsv(text)
      same(totals, { created: created.length, failed: errors.length, submitted: 3 }, 'totals')
      const named = Object.keys(errors[0]?.fields ?? {}).sort()
      same(named, ['cert_number', 'description', 'quantity'], 'fields of row 2')
    },
  'D5-12 a manifest row requires description, and allows sku, or grader and cert_number together, or neither':
    async (world) => {
      const { sku } = await world.newProduct()
      const { created, errors } = await world.submitCsv(
        csvBytes(
          'description,sku,grader,cert_number',
          `Box,${sku},,`,
          `Slab,,PSA,${world.unique('CERT')}`,
          'Words,,,',
          ',,,',
          'Half,,PSA,',
          `Half,,,${world.unique('CERT')}`,
          `Box,${world.unique('NOSKU')},,`,
        ),
      )
      same(each(created, 'description'), ['Box', 'Slab', 'Words'], 'created')
      same(rowFields(errors), ['4 description', '5 cert_number', '6 grader', '7 sku'], 'errors')
    },
  "D5-13 a slab row's quantity is 1; the same grader and certificate twice in a file fails the later row":
    async (world) => {
      const cert = world.unique('CERT')
      const { errors } = await world.submitCsv(
        csvBytes(
          'description,grader,cert_number,quantity',
          `A,PSA,${cert},1`,
          `B,psa,${cert.toLowerCase().replaceAll('-', ' ')},1`,
          `C,BGS,${cert},1`,
          `D,PSA,${world.unique('CERT')},2`,
        ),
      )
      same(rowFields(errors), ['2 cert_number', '4 quantity'], 'errors')
    },
  'D5-14 a manifest CSV without one valid row is a 400 with extra.errors and extra.totals': async (world) => {
    const file = csvBytes('description,quantity', ',1', 'Two,0')
    const seen = await world.ask('submitManifestCsv', world.manifestUpload(file))
    const { extra } = rejected(seen, 400, 'validation_error')
    same(each(extra.errors as CsvRowError[], 'row'), [1, 2], 'rows in extra.errors')
    same(extra.totals, { created: 0, failed: 2, submitted: 2 }, 'extra.totals')
  },
  'D5-15 a product row with a SKU that exists or is repeated fails with state_conflict': async (world) => {
    const { sku } = await world.newProduct()
    const fresh = world.unique('SKU')
    const row = (name: string, of: string): string => `${name},${of},1,1,1,in,1,oz`
    const file = csvBytes(productColumns, row('Taken', sku), row('First', fresh), row('Again', fresh))
    const { created, errors } = await world.importProducts(file)
    same(each(created, 'name'), ['First'], 'created')
    same(rowCodes(errors), ['1 state_conflict', '3 state_conflict'], 'errors')
  },
  'D5-16 each fulfillment row creates one; sku and quantity take the oldest intake first': async (world) => {
    const product = await world.newProduct()
    const units = await world.availableUnits(product, 3)
    const { sku } = product
    const { created } = await world.importOrders([
      { sku, quantity: '1' },
      { sku, quantity: '2' },
    ])
    const [one, two, three] = each(units, 'qid')
    same(each(created, 'qids'), [[one], [two, three]], 'items of both orders')
  },
  'D5-17 an unavailable item, or too few of a SKU, is a state_conflict with requested and available': async (
    world,
  ) => {
    const product = await world.newProduct()
    const [unit] = await world.availableUnits(product, 1)
    const received = await world.arriveOne()
    const { errors } = await world.importOrders([{ qid: received.qid }, { sku: product.sku, quantity: '5' }])
    same(rowCodes(errors), ['1 state_conflict', '2 state_conflict'], 'errors')
    const message = errors[1]?.message ?? ''
    holds(/\b5\b/.test(message) && /\b1\b/.test(message), 'the message names 5 and 1', message)
    same((await world.itemOf(present(unit, 'the unit'))).status, 'available', 'the one that is there')
  },
  'D5-18 deliver_by before today (UTC) is a validation_error': async (world) => {
    const slab = await world.availableSlab()
    const { errors } = await world.importOrders([{ qid: slab.qid, deliver_by: '2020-01-01' }])
    same([errors[0]?.code, rowFields(errors)], ['validation_error', ['1 deliver_by']], 'the error')
  },
  'D5-19 a QID used by an earlier row of the file is unavailable to a later one': async (world) => {
    const { qid } = await world.availableSlab()
    const { created, errors } = await world.importOrders([{ qid }, { qid }])
    same([created.length, errors[0]?.row, errors[0]?.code], [1, 2, 'state_conflict'], 'the rows')
  },
  'D5-20 an unknown country code is a validation_error, an unserved one unsupported_destination': async (
    world,
  ) => {
    const { qid } = await world.availableSlab()
    const { errors } = await world.importOrders([
      { qid, country: 'XX' },
      { qid, country: 'USA' },
      { qid, country: 'AQ' },
    ])
    const codes = ['validation_error', 'validation_error', 'unsupported_destination']
    same(each(errors, 'code'), codes, 'codes')
  },
  'D5-21 the countries of decisions 5 are served; codes are accepted in any case and stored in upper case':
    async (world) => {
      const product = await world.newProduct()
      const served =
        'US CA MX GB IE FR DE ES PT IT NL BE LU AT CH SE NO DK FI PL CZ AU NZ JP KR SG HK TW AE'.split(' ')
      const rows = served.map((country) => {
        const state = { US: 'TX', CA: 'ON', AU: 'NSW' }[country] ?? 'Region'
        return { sku: product.sku, quantity: '1', country: country.toLowerCase(), state }
      })
      const { errors } = await world.importOrders(rows)
      const others = errors.filter(({ code }) => code !== 'state_conflict')
      same(others, [], 'faults other than a missing unit')
      const slab = await world.availableSlab()
      const { created } = await world.importOrders([{ qid: slab.qid, country: 'us' }])
      same(created[0]?.shipping_address?.country, 'US', 'the stored country')
    },
  'D5-22 the state must exist for US, CA, and AU; a US ZIP code has 5 or 9 digits': async (world) => {
    const { qid } = await world.availableSlab()
    const { errors } = await world.importOrders([
      { qid, state: 'ZZ' },
      { qid, country: 'CA', state: 'TX', zip: 'M5V 3L9' },
      { qid, country: 'AU', state: 'TX', zip: '2000' },
      { qid, zip: '1234' },
      { qid, zip: '78701-123' },
      { qid: noQid, zip: '78701-1234' },
    ])
    const faults = errors.map(({ code, fields }) => [code, ...Object.keys(fields)].join(' '))
    const state = 'validation_error state'
    const zip = 'validation_error zip'
    same(faults.slice(0, 5), [state, state, state, zip, zip], 'errors')
    same(errors[5]?.code, 'not_found', 'of a row whose zip is right')
  },
  'D5-23 unknown fields of a form are a 400, and so is the file twice (decisions 11)': async (world) => {
    const file = csvBytes('description', 'One')
    faulty(await world.ask('submitManifestCsv', world.manifestUpload(file, [['sauce', 'x']])), 'sauce')
    const { form } = world.manifestUpload(file)
    const twice = { form: { ...form, files: [...form.files, ...form.files] } }
    faulty(await world.ask('submitManifestCsv', twice), 'file')
    faulty(await world.ask('importProductsCsv', { form }), 'reference')
  },
  'D5-24 a lower-case grader is kept as sent and compared regardless of case (decisions 11)': async (
    world,
  ) => {
    const cert = world.unique('CERT')
    const { created } = await world.submitCsv(csvBytes('description,grader,cert_number', `Slab,psa,${cert}`))
    same(created[0]?.grader, 'psa', 'grader')
    const intake = await world.arriveOne(world.slabArrival({ cert_number: cert }))
    same(intake.manifest_line_id, created[0]?.id, 'the line that was matched')
    same((await world.advance(intake, 'available')).grader, 'PSA', "the item's grader")
  },
  'D5-25 an unknown SKU on a fulfillment row is a validation_error on sku (decisions 11)': async (world) => {
    const { errors } = await world.importOrders([{ sku: world.unique('NOSKU'), quantity: '1' }])
    same([errors[0]?.code, rowFields(errors)], ['validation_error', ['1 sku']], 'the error')
  },
})

async function descriptions(world: World, text: string): Promise<string[]> {
  return each((await world.submitCsv(text)).created, 'description')
}

/** Uploads a file that must be rejected with 400, and checks that no manifest was created. */
async function rejectedWhole(world: World, file: Uint8Array, what: string): Promise<Seen> {
  const reference = world.unique('PO')
  const seen = await world.ask('submitManifestCsv', upload(file, [['reference', reference]]))
  holds(seen.status === 400, `${what} is rejected whole`, seen.text)
  faulty(seen, 'file')
  same((await world.client.listManifests({ query: { reference } })).data.total, 0, `manifests after ${what}`)
  return seen
}

const productColumns = 'name,sku,length,width,height,dimension_unit,weight,weight_unit'
