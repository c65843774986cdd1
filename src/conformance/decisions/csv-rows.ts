import type { ResultOf } from '../../contract/operations.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import { entriesOf } from '../check.ts'
import { answered, faulty, holds, present, refused, same } from '../expectations.ts'
import { importOrders, orderRow } from '../fulfillment-rows.ts'
import {
  advance,
  arrive,
  availableSlab,
  availableUnits,
  csvBytes,
  itemOf,
  newProduct,
  noQid,
  upload,
} from '../making.ts'
import type { World } from '../world.ts'

const productColumns = 'name,sku,length,width,height,dimension_unit,weight,weight_unit'

/** Decisions 5: the rows of manifests, products and fulfillments. */
export const csvRowDecisions = entriesOf({
  'D5-12 a manifest row: description is required; sku, or grader and cert_number together, or neither':
    async (world) => {
      const { sku } = await newProduct(world)
      const { created, errors } = await submit(world, 'description,sku,grader,cert_number', [
        `Box,${sku},,`,
        `Slab,,PSA,${world.unique('CERT')}`,
        'Words,,,',
        ',,,',
        'Half,,PSA,',
        `Half,,,${world.unique('CERT')}`,
        `Box,${world.unique('NOSKU')},,`,
      ])
      same(
        created.map(({ description }) => description),
        ['Box', 'Slab', 'Words'],
        'created',
      )
      const faults = errors.map(({ row, fields }) => `${row} ${Object.keys(fields).join(' ')}`)
      same(faults, ['4 description', '5 cert_number', '6 grader', '7 sku'], 'errors')
    },
  "D5-13 a slab row's quantity is 1; the same grader and certificate twice in a file fails the later row":
    async (world) => {
      const cert = world.unique('CERT')
      const { errors } = await submit(world, 'description,grader,cert_number,quantity', [
        `A,PSA,${cert},1`,
        `B,psa,${cert.toLowerCase().replaceAll('-', ' ')},1`,
        `C,BGS,${cert},1`,
        `D,PSA,${world.unique('CERT')},2`,
      ])
      const faults = errors.map(({ row, fields }) => `${row} ${Object.keys(fields).join(' ')}`)
      same(faults, ['2 cert_number', '4 quantity'], 'errors')
    },
  'D5-14 a manifest CSV without one valid row is a 400 with extra.errors and extra.totals': async (world) => {
    const fields = [['reference', world.unique('PO')]] as const
    const file = csvBytes('description,quantity', ',1', 'Two,0')
    const seen = await world.ask('submitManifestCsv', upload(file, fields))
    const { extra } = refused(seen, 400, 'validation_error')
    same(
      (extra.errors as CsvRowError[]).map(({ row }) => row),
      [1, 2],
      'rows in extra.errors',
    )
    same(extra.totals, { created: 0, failed: 2, submitted: 2 }, 'extra.totals')
  },
  'D5-15 a product row with a SKU that exists or is repeated fails with state_conflict': async (world) => {
    const { sku } = await newProduct(world)
    const fresh = world.unique('SKU')
    const row = (name: string, of: string): string => `${name},${of},1,1,1,in,1,oz`
    const file = csvBytes(productColumns, row('Taken', sku), row('First', fresh), row('Again', fresh))
    const seen = answered(await world.ask('importProductsCsv', upload(file)), 200)
    const { created, errors } = seen.body as ResultOf<'importProductsCsv'>
    same(
      created.map(({ name }) => name),
      ['First'],
      'created',
    )
    same(
      errors.map(({ row: at, code }) => [at, code]),
      [
        [1, 'state_conflict'],
        [3, 'state_conflict'],
      ],
      'errors',
    )
  },
  'D5-16 each fulfillment row makes one; sku and quantity take the oldest intake first': async (world) => {
    const product = await newProduct(world)
    const units = await availableUnits(world, product, 3)
    const { sku } = product
    const { created } = await importOrders(world, [
      orderRow({ sku, quantity: '1' }),
      orderRow({ sku, quantity: '2' }),
    ])
    const [one, two, three] = units.map(({ qid }) => qid)
    same(
      created.map(({ qids }) => qids),
      [[one], [two, three]],
      'items of the two',
    )
  },
  'D5-17 an item that is not available, or too few of a SKU: state_conflict, with requested and available told':
    async (world) => {
      const product = await newProduct(world)
      const [unit] = await availableUnits(world, product, 1)
      const [received] = await arrive(world)
      const { errors } = await importOrders(world, [
        orderRow({ qid: received?.qid }),
        orderRow({ sku: product.sku, quantity: '5' }),
      ])
      same(
        errors.map(({ row, code }) => [row, code]),
        [
          [1, 'state_conflict'],
          [2, 'state_conflict'],
        ],
        'errors',
      )
      const message = errors[1]?.message ?? ''
      holds(/\b5\b/.test(message) && /\b1\b/.test(message), 'the message names 5 and 1', message)
      same((await itemOf(world, present(unit, 'the unit'))).status, 'available', 'the one that is there')
    },
  'D5-18 deliver_by before today (UTC) is a validation_error': async (world) => {
    const slab = await availableSlab(world)
    const { errors } = await importOrders(world, [orderRow({ qid: slab.qid, deliver_by: '2020-01-01' })])
    same(
      [errors[0]?.code, Object.keys(errors[0]?.fields ?? {})],
      ['validation_error', ['deliver_by']],
      'the error',
    )
  },
  'D5-19 a QID used by an earlier row of the file is not available to a later one': async (world) => {
    const { qid } = await availableSlab(world)
    const { created, errors } = await importOrders(world, [orderRow({ qid }), orderRow({ qid })])
    same([created.length, errors[0]?.row, errors[0]?.code], [1, 2, 'state_conflict'], 'the rows')
  },
  'D5-20 a country code that does not exist is a validation_error, one not served unsupported_destination':
    async (world) => {
      const { qid } = await availableSlab(world)
      const { errors } = await importOrders(world, [
        orderRow({ qid, country: 'XX' }),
        orderRow({ qid, country: 'USA' }),
        orderRow({ qid, country: 'AQ' }),
      ])
      const codes = ['validation_error', 'validation_error', 'unsupported_destination']
      same(
        errors.map(({ code }) => code),
        codes,
        'codes',
      )
    },
  'D5-21 the countries of decisions 5 are served; codes are taken in any case and kept in upper case': async (
    world,
  ) => {
    const product = await newProduct(world)
    const served =
      'US CA MX GB IE FR DE ES PT IT NL BE LU AT CH SE NO DK FI PL CZ AU NZ JP KR SG HK TW AE'.split(' ')
    const rows = served.map((country) => {
      const state = { US: 'TX', CA: 'ON', AU: 'NSW' }[country] ?? 'Region'
      return orderRow({ sku: product.sku, quantity: '1', country: country.toLowerCase(), state })
    })
    const { errors } = await importOrders(world, rows)
    same(
      errors.filter(({ code }) => code !== 'state_conflict'),
      [],
      'faults other than that no unit is there',
    )
    const slab = await availableSlab(world)
    const { created } = await importOrders(world, [orderRow({ qid: slab.qid, country: 'us' })])
    same(created[0]?.shipping_address?.country, 'US', 'the country kept')
  },
  'D5-22 the state must be real for US, CA and AU; a US zip has 5 or 9 digits': async (world) => {
    const { qid } = await availableSlab(world)
    const { errors } = await importOrders(world, [
      orderRow({ qid, state: 'ZZ' }),
      orderRow({ qid, country: 'CA', state: 'TX', zip: 'M5V 3L9' }),
      orderRow({ qid, country: 'AU', state: 'TX', zip: '2000' }),
      orderRow({ qid, zip: '1234' }),
      orderRow({ qid, zip: '78701-123' }),
      orderRow({ qid: noQid, zip: '78701-1234' }),
    ])
    const faults = errors.map(({ code, fields }) => [code, ...Object.keys(fields)].join(' '))
    const state = 'validation_error state'
    const zip = 'validation_error zip'
    same(faults.slice(0, 5), [state, state, state, zip, zip], 'errors')
    same(errors[5]?.code, 'not_found', 'of a row whose zip is right')
  },
  'D5-23 unknown fields of a form are a 400; so is the same file twice (decisions 11)': async (world) => {
    const file = csvBytes('description', 'One')
    const reference = ['reference', world.unique('PO')] as const
    faulty(await world.ask('submitManifestCsv', upload(file, [reference, ['sauce', 'x']])), 'sauce')
    const twice = {
      form: { fields: [reference], files: [1, 2].map(() => ({ name: 'file', bytes: file })) },
    }
    faulty(await world.ask('submitManifestCsv', twice), 'file')
    faulty(await world.ask('importProductsCsv', upload(file, [reference])), 'reference')
  },
  'D5-24 lower-case grader is kept as sent, and compared without case (decisions 11)': async (world) => {
    const cert = world.unique('CERT')
    const { created } = await submit(world, 'description,grader,cert_number', [`Slab,psa,${cert}`])
    same(created[0]?.grader, 'psa', 'grader')
    const slab = { type: 'graded_slab', name: 'X', grader: 'PSA', grade: '9', cert_number: cert } as const
    const [intake] = await arrive(world, [slab])
    same(intake?.manifest_line_id, created[0]?.id, 'the line that was matched')
    same((await advance(world, intake ?? { qid: '' }, 'available')).grader, 'PSA', "the item's grader")
  },
  'D5-25 an unknown SKU on a fulfillment row is a validation_error on sku (decisions 11)': async (world) => {
    const { errors } = await importOrders(world, [orderRow({ sku: world.unique('NOSKU'), quantity: '1' })])
    same([errors[0]?.code, Object.keys(errors[0]?.fields ?? {})], ['validation_error', ['sku']], 'the error')
  },
})

async function submit(world: World, header: string, rows: string[]): Promise<ResultOf<'submitManifestCsv'>> {
  const fields = [['reference', world.unique('PO')]] as const
  const seen = await world.ask('submitManifestCsv', upload(csvBytes(header, ...rows), fields))
  return answered(seen, 201).body as ResultOf<'submitManifestCsv'>
}
