import type { CsvRowError } from '../../contract/resources/error.ts'
import { entriesOf } from '../check.ts'
import {
  csvBytes,
  importOrders,
  importProducts,
  manifestUpload,
  orderRow,
  rowCodes,
  rowFields,
  submitCsv,
} from '../csv-uploads.ts'
import { each, faulty, holds, present, refused, same } from '../expectations.ts'
import {
  advance,
  arriveOne,
  availableSlab,
  availableUnits,
  itemOf,
  newProduct,
  noQid,
  slabArrival,
} from '../making.ts'

const productColumns = 'name,sku,length,width,height,dimension_unit,weight,weight_unit'

/** Decisions 5: the rows of manifests, products and fulfillments. */
export const csvRowDecisions = entriesOf({
  'D5-12 a manifest row: description is required; sku, or grader and cert_number together, or neither':
    async (world) => {
      const { sku } = await newProduct(world)
      const { created, errors } = await submitCsv(
        world,
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
      const { errors } = await submitCsv(
        world,
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
    const seen = await world.ask('submitManifestCsv', manifestUpload(world, file))
    const { extra } = refused(seen, 400, 'validation_error')
    same(each(extra.errors as CsvRowError[], 'row'), [1, 2], 'rows in extra.errors')
    same(extra.totals, { created: 0, failed: 2, submitted: 2 }, 'extra.totals')
  },
  'D5-15 a product row with a SKU that exists or is repeated fails with state_conflict': async (world) => {
    const { sku } = await newProduct(world)
    const fresh = world.unique('SKU')
    const row = (name: string, of: string): string => `${name},${of},1,1,1,in,1,oz`
    const file = csvBytes(productColumns, row('Taken', sku), row('First', fresh), row('Again', fresh))
    const { created, errors } = await importProducts(world, file)
    same(each(created, 'name'), ['First'], 'created')
    same(rowCodes(errors), ['1 state_conflict', '3 state_conflict'], 'errors')
  },
  'D5-16 each fulfillment row makes one; sku and quantity take the oldest intake first': async (world) => {
    const product = await newProduct(world)
    const units = await availableUnits(world, product, 3)
    const { sku } = product
    const { created } = await importOrders(world, [
      orderRow({ sku, quantity: '1' }),
      orderRow({ sku, quantity: '2' }),
    ])
    const [one, two, three] = each(units, 'qid')
    same(each(created, 'qids'), [[one], [two, three]], 'items of the two')
  },
  'D5-17 an item that is not available, or too few of a SKU: state_conflict, with requested and available told':
    async (world) => {
      const product = await newProduct(world)
      const [unit] = await availableUnits(world, product, 1)
      const received = await arriveOne(world)
      const { errors } = await importOrders(world, [
        orderRow({ qid: received.qid }),
        orderRow({ sku: product.sku, quantity: '5' }),
      ])
      same(rowCodes(errors), ['1 state_conflict', '2 state_conflict'], 'errors')
      const message = errors[1]?.message ?? ''
      holds(/\b5\b/.test(message) && /\b1\b/.test(message), 'the message names 5 and 1', message)
      same((await itemOf(world, present(unit, 'the unit'))).status, 'available', 'the one that is there')
    },
  'D5-18 deliver_by before today (UTC) is a validation_error': async (world) => {
    const slab = await availableSlab(world)
    const { errors } = await importOrders(world, [orderRow({ qid: slab.qid, deliver_by: '2020-01-01' })])
    same([errors[0]?.code, rowFields(errors)], ['validation_error', ['1 deliver_by']], 'the error')
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
      same(each(errors, 'code'), codes, 'codes')
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
    const others = errors.filter(({ code }) => code !== 'state_conflict')
    same(others, [], 'faults other than that no unit is there')
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
    faulty(await world.ask('submitManifestCsv', manifestUpload(world, file, [['sauce', 'x']])), 'sauce')
    const { form } = manifestUpload(world, file)
    const twice = { form: { ...form, files: [...form.files, ...form.files] } }
    faulty(await world.ask('submitManifestCsv', twice), 'file')
    faulty(await world.ask('importProductsCsv', { form }), 'reference')
  },
  'D5-24 lower-case grader is kept as sent, and compared without case (decisions 11)': async (world) => {
    const cert = world.unique('CERT')
    const { created } = await submitCsv(world, csvBytes('description,grader,cert_number', `Slab,psa,${cert}`))
    same(created[0]?.grader, 'psa', 'grader')
    const intake = await arriveOne(world, slabArrival(world, { cert_number: cert }))
    same(intake.manifest_line_id, created[0]?.id, 'the line that was matched')
    same((await advance(world, intake, 'available')).grader, 'PSA', "the item's grader")
  },
  'D5-25 an unknown SKU on a fulfillment row is a validation_error on sku (decisions 11)': async (world) => {
    const { errors } = await importOrders(world, [orderRow({ sku: world.unique('NOSKU'), quantity: '1' })])
    same([errors[0]?.code, rowFields(errors)], ['validation_error', ['1 sku']], 'the error')
  },
})
