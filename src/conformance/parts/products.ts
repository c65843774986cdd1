import { entriesOf, faulty, rejected, same } from '../check.ts'
import * as make from '../making.ts'

const columns = 'name,sku,upc,length,width,height,dimension_unit,weight,weight_unit,image_url'

/** 4.2 Products, 4.6 Inventory. */
export const productOperations = entriesOf({
  '4.2-1 POST /products: 201 with the product, its id, and its times': async (world) => {
    const { data, status } = await world.client.createProduct({ body: make.productBody(world) })
    same([status, data.updated_at], [201, data.created_at], 'status and times')
  },
  '4.2-2 POST /products with a taken SKU: 409, and nothing changes': async (world) => {
    const product = await make.newProduct(world)
    const json = make.productBody(world, { sku: product.sku, name: 'Another name' })
    rejected(await world.ask('createProduct', { json }), 409, 'state_conflict')
    const { results } = (await world.client.listProducts({ query: { sku: product.sku } })).data
    same(results, [product], 'the catalog')
  },
  '4.2-3 POST /products/csv: 200; valid rows are created, invalid ones return errors by field': async (
    world,
  ) => {
    const [one, two] = [world.unique('SKU'), world.unique('SKU')]
    const file = make.csvBytes(
      columns,
      `Box,${one},820650850011,6.6,3.5,7.5,in,30,oz,https://cdn.example/box.png`,
      `Bad,${two},,x,3.5,7.5,mm,30,oz,`,
    )
    const { created, errors, totals } = await make.importProducts(world, file)
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
  '4.2-4 GET /products is filtered by sku': async (world) => {
    const product = await make.newProduct(world)
    await make.newProduct(world)
    const { data } = await world.client.listProducts({ query: { sku: product.sku } })
    same([data.total, data.results], [1, [product]], 'the page')
  },
  '4.2-5 GET /products/{id}: 200 with the product; 404 if unknown, 400 if not a UUID': async (world) => {
    const product = await make.newProduct(world)
    const ask = (product_id: string) => world.ask('getProduct', { params: { product_id } })
    same((await ask(product.product_id)).body, product, 'the product')
    rejected(await ask(make.noUuid), 404, 'not_found')
    faulty(await ask('42'), 'product_id')
  },
  '4.6-1 GET /inventory lists stock levels by SKU, filtered by sku; a new SKU has zeros': async (world) => {
    const product = await make.newProduct(world)
    const level = async () => (await world.client.listInventory({ query: { sku: product.sku } })).data.results
    const { sku } = product
    same(await level(), [{ sku, on_hand: 0, available: 0, allocated: 0 }], 'before')
    const units = await make.availableUnits(world, product, 2)
    await make.arriveOne(world, make.unitOf(product))
    await make.order(world, units.slice(0, 1))
    same(await level(), [{ sku, on_hand: 3, available: 1, allocated: 1 }], 'after')
  },
})
