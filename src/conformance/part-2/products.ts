import { answered, entriesOf, faulty, rejected, same } from '../check.ts'
import * as make from '../making.ts'
import { shaped, shapes } from '../shapes.ts'

export const productFields = entriesOf({
  '2.4-1 a product has the fields of 2.4, each of its type, and repeats what was sent': async (world) => {
    const body = make.productBody(world, { upc: '820650850011', image_url: 'https://cdn.example/etb.jpg' })
    const { data } = await world.client.createProduct({ body })
    shaped(data, shapes.product, 'the product')
    shaped(data.dimensions, shapes.dimensions, 'dimensions')
    shaped(data.weight, shapes.weight, 'weight')
    same({ ...data, ...body }, data, 'the product')
    shaped(await make.newProduct(world), shapes.product, 'a product with required fields alone')
  },
  '2.4-2 name, sku, dimensions (height, length, width, unit), and weight (value, unit) are required': async (
    world,
  ) => {
    faulty(await world.ask('createProduct', { json: {} }), 'name', 'sku', 'dimensions', 'weight')
    const json = { ...make.productBody(world), dimensions: {}, weight: {} }
    const parts = ['height', 'length', 'width', 'unit'].map((name) => `dimensions.${name}`)
    faulty(await world.ask('createProduct', { json }), ...parts, 'weight.value', 'weight.unit')
  },
  '2.4-3 units are in and cm, oz and g': async (world) => {
    for (const [length, mass] of [
      ['in', 'oz'],
      ['cm', 'g'],
    ] as const) {
      const { dimensions, weight } = make.productBody(world)
      const units = { dimensions: { ...dimensions, unit: length }, weight: { ...weight, unit: mass } }
      const { dimensions: made, weight: weighs } = await make.newProduct(world, units)
      same([made.unit, weighs.unit], [length, mass], 'units')
    }
    const body = make.productBody(world)
    const json = {
      ...body,
      dimensions: { ...body.dimensions, unit: 'mm' },
      weight: { ...body.weight, unit: 'kg' },
    }
    faulty(await world.ask('createProduct', { json }), 'dimensions.unit', 'weight.unit')
  },
  '2.4-4 a SKU is unique within the partner: a second product with it is a 409; another partner may use it':
    async (world) => {
      const { sku } = await make.newProduct(world)
      const json = make.productBody(world, { sku })
      rejected(await world.ask('createProduct', { json }), 409, 'state_conflict')
      same((await world.client.listProducts({ query: { sku } })).data.total, 1, 'products of the SKU')
      same((await world.stranger().createProduct({ body: json })).status, 201, "another partner's status")
    },
  '2.4-5 image_url is a URI or null, upc a string or null': async (world) => {
    const { upc, image_url } = await make.newProduct(world, { upc: null, image_url: null })
    same([upc, image_url], [null, null], 'upc and image_url')
    const json = { ...make.productBody(world), upc: 820650850011, image_url: 'not a uri' }
    faulty(await world.ask('createProduct', { json }), 'upc', 'image_url')
  },
  '2.9-1 an inventory level has sku, and on_hand, available, allocated as integers from 0 on': async (
    world,
  ) => {
    const { sku } = await make.newProduct(world)
    const seen = answered(await world.ask('listInventory', { query: { sku } }), 200)
    const { results } = seen.body as { results: unknown[] }
    same(results, [{ sku, on_hand: 0, available: 0, allocated: 0 }], 'the level of a new SKU')
    shaped(results[0], shapes.inventoryLevel, 'the level')
  },
})
