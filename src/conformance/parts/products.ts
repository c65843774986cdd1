import { answered, faulty, rejected, same } from '../check.ts'
import { shaped, shapes } from '../shapes.ts'
import { csvBytes, entriesOf, noUuid, seenBy } from '../world.ts'

export const productRules = entriesOf({
  '2.4-1 a product has the fields of 2.4, each of its type, and repeats what was sent': async (world) => {
    const body = world.productBody({ upc: '820650850011', image_url: 'https://cdn.example/etb.jpg' })
    const { data, status } = await world.client.createProduct({ body })
    same([status, data.updated_at], [201, data.created_at], 'status and times')
    shaped(data, shapes.product, 'the product')
    shaped(data.dimensions, shapes.dimensions, 'dimensions')
    shaped(data.weight, shapes.weight, 'weight')
    same({ ...data, ...body }, data, 'the product')
    shaped(await world.newProduct(), shapes.product, 'a product with required fields alone')
  },
  '2.4-2 name, sku, dimensions (height, length, width, unit), and weight (value, unit) are required': async (
    world,
  ) => {
    faulty(await world.ask('createProduct', { json: {} }), 'name', 'sku', 'dimensions', 'weight')
    const json = { ...world.productBody(), dimensions: {}, weight: {} }
    const parts = ['height', 'length', 'width', 'unit'].map((name) => `dimensions.${name}`)
    faulty(await world.ask('createProduct', { json }), ...parts, 'weight.value', 'weight.unit')
  },
  '2.4-3 units are in and cm, oz and g': async (world) => {
    for (const [length, mass] of [
      ['in', 'oz'],
      ['cm', 'g'],
    ] as const) {
      const { dimensions, weight } = world.productBody()
      const units = { dimensions: { ...dimensions, unit: length }, weight: { ...weight, unit: mass } }
      const { dimensions: made, weight: weighs } = await world.newProduct(units)
      same([made.unit, weighs.unit], [length, mass], 'units')
    }
    const body = world.productBody()
    const json = {
      ...body,
      dimensions: { ...body.dimensions, unit: 'mm' },
      weight: { ...body.weight, unit: 'kg' },
    }
    faulty(await world.ask('createProduct', { json }), 'dimensions.unit', 'weight.unit')
  },
  '2.4-4 a SKU is unique within the partner: a second product with it is a 409; another partner may use it':
    seenBy('4.2-2', 'D1-1'),
  '2.4-5 image_url is a URI or null, upc a string or null': async (world) => {
    const { upc, image_url } = await world.newProduct({ upc: null, image_url: null })
    same([upc, image_url], [null, null], 'upc and image_url')
    const json = { ...world.productBody(), upc: 820650850011, image_url: 'not a uri' }
    faulty(await world.ask('createProduct', { json }), 'upc', 'image_url')
  },
  '2.9-1 an inventory level has sku, and on_hand, available, allocated as integers from 0 on': async (
    world,
  ) => {
    const { sku } = await world.newProduct()
    const seen = answered(await world.ask('listInventory', { query: { sku } }), 200)
    const { results } = seen.body as { results: unknown[] }
    same(results, [{ sku, on_hand: 0, available: 0, allocated: 0 }], 'the level of a new SKU')
    shaped(results[0], shapes.inventoryLevel, 'the level')
  },
  '4.2-1 POST /products: 201 with the product, its id, and its times': seenBy('2.4-1'),
  '4.2-2 POST /products with a taken SKU: 409, and nothing changes': async (world) => {
    const product = await world.newProduct()
    const json = world.productBody({ sku: product.sku, name: 'Another name' })
    rejected(await world.ask('createProduct', { json }), 409, 'state_conflict')
    const { results } = (await world.client.listProducts({ query: { sku: product.sku } })).data
    same(results, [product], 'the catalog')
  },
  '4.2-3 POST /products/csv: 200; valid rows are created, invalid ones return errors by field': async (
    world,
  ) => {
    const [one, two] = [world.unique('SKU'), world.unique('SKU')]
    const file = csvBytes(
      columns,
      `Box,${one},820650850011,6.6,3.5,7.5,in,30,oz,https://cdn.example/box.png`,
      `Bad,${two},,x,3.5,7.5,mm,30,oz,`,
    )
    const { created, errors, totals } = await world.importProducts(file)
    same(totals, { created: 1, failed: 1, submitted: 2 }, 'totals')
    const { row, fields } = errors[0] ?? { row: 0, fields: {} }
    same([row, Object.keys(fields).sort()], [2, ['dimension_unit', 'length']], 'row and fields of the error')
    const { results } = (await world.client.listProducts({ query: { sku: one } })).data
    same(results, created, 'the catalog')
    const given = {
      name: 'Box',
      upc: '820650850011',
      image_url: 'https://cdn.example/box.png',
      dimensions: { height: 7.5, length: 6.6, width: 3.5, unit: 'in' },
      weight: { value: 30, unit: 'oz' },
    }
    same({ ...created[0], ...given }, created[0], 'the product')
  },
  '4.2-4 GET /products is filtered by sku': seenBy('4.2-2', 'D11-4'),
  '4.2-5 GET /products/{id}: 200 with the product; 404 if unknown, 400 if not a UUID': async (world) => {
    const product = await world.newProduct()
    const ask = (product_id: string) => world.ask('getProduct', { params: { product_id } })
    same((await ask(product.product_id)).body, product, 'the product')
    rejected(await ask(noUuid), 404, 'not_found')
    faulty(await ask('42'), 'product_id')
  },
  '4.6-1 GET /inventory lists stock levels by SKU, filtered by sku; a new SKU has zeros': seenBy(
    '2.9-1',
    'D7-7',
  ),
})

const columns = 'name,sku,upc,length,width,height,dimension_unit,weight,weight_unit,image_url'
