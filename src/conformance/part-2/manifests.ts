import { each, entriesOf, faulty, holds, same } from '../check.ts'
import * as make from '../making.ts'
import { shaped, shapes } from '../shapes.ts'
import type { World } from '../world.ts'

export const manifestFields = entriesOf({
  '2.1-1 a manifest has the fields of 2.1, each of its type': async (world) => {
    const arrival = { expected_arrival_start: '2030-01-01', expected_arrival_end: '2030-02-01' }
    const full = await make.newManifest(world, undefined, { source: 'card_show', ...arrival })
    shaped(full, shapes.manifest, 'the manifest')
    same([full.source, full.expected_arrival_end], ['card_show', '2030-02-01'], 'source and arrival end')
    shaped(await make.newManifest(world), shapes.manifest, 'a manifest with required fields alone')
  },
  '2.1-2 source is card_show, marketplace, distributor, or other; anything else is a 400': async (world) => {
    for (const source of ['card_show', 'marketplace', 'distributor', 'other'] as const)
      same((await make.newManifest(world, undefined, { source })).source, source, 'source')
    faulty(
      await world.ask('submitManifest', { json: { ...make.manifestBody(world), source: 'auction' } }),
      'source',
    )
  },
  '2.1-3 arrival dates are calendar dates or null; anything else is a 400': async (world) => {
    const empty = await make.newManifest(world, undefined, {
      expected_arrival_start: null,
      expected_arrival_end: null,
    })
    same(empty.expected_arrival_end, null, 'expected_arrival_end')
    for (const date of ['2030-02-30', '2030-1-1', 'soon', '2030-01-01T00:00:00Z', 20300101]) {
      const json = { ...make.manifestBody(world), expected_arrival_end: date }
      faulty(await world.ask('submitManifest', { json }), 'expected_arrival_end')
    }
  },
  '2.1-4 answers to close and to a CSV upload include the ManifestLine objects as lines and created': async (
    world,
  ) => {
    const closed = await make.close(world, await make.newManifest(world))
    const { lines, ...manifest } = closed
    shaped(manifest, shapes.manifest, 'the closed manifest')
    shaped(lines[0], shapes.manifestLine, 'its line')
    const file = make.csvBytes('description', 'One slab')
    const { data } = await world.client.submitManifestCsv({ form: { reference: world.unique('PO'), file } })
    shaped(data.manifest, shapes.manifest, 'the manifest of the CSV')
    shaped(data.created[0], shapes.manifestLine, 'the line of the CSV')
  },
  '2.2-1 a line has the fields of 2.2 and repeats what was sent': async (world) => {
    const sent = make.slabLine(world, { external_ref: world.unique('LOT') })
    const { lines } = await make.manifestWithLines(world, (await make.newManifest(world, [sent])).id)
    shaped(lines[0], shapes.manifestLine, 'the line')
    same({ ...lines[0], ...sent }, lines[0], 'the line')
  },
  "2.2-2 the matched item repeats the line's external_ref, and the line has the item's QID": async (
    world,
  ) => {
    const line = make.slabLine(world, { external_ref: world.unique('LOT') })
    const { id } = await make.newManifest(world, [line])
    const item = await make.itemOf(world, await make.arriveOne(world, make.slabOf(world, line)))
    same(item.external_ref, line.external_ref, "the item's external_ref")
    same((await make.manifestWithLines(world, id)).lines[0]?.matched_qids, [item.qid], 'matched_qids')
  },
  '2.3-1 a line requires only description; other fields may be omitted or null': async (world) => {
    const bare = { external_ref: null, grader: null, cert_number: null, sku: null, quantity: 1 }
    const { id } = await make.newManifest(world, [{ description: 'A' }, { description: 'B', ...bare }])
    const { lines } = await make.manifestWithLines(world, id)
    for (const line of lines) same({ ...line, ...bare }, line, 'a line')
    const json = make.manifestBody(world, [{} as { description: string }])
    faulty(await world.ask('submitManifest', { json }), 'lines[0].description')
  },
  '2.3-2 quantity is a whole number from 1 on, and 1 if omitted': async (world) => {
    const { id } = await make.newManifest(world, [{ description: 'A' }, { description: 'B', quantity: 3 }])
    const { lines } = await make.manifestWithLines(world, id)
    same(each(lines, 'quantity'), [1, 3], 'quantities')
    for (const quantity of [0, -1, 1.5, '2', null])
      await rejectedLine(world, { description: 'A', quantity }, 'quantity')
  },
  "2.3-3 a line's sku must be in the partner's catalog; otherwise a 400 names the line": async (world) => {
    const { sku } = await make.newProduct(world)
    const { id } = await make.newManifest(world, [{ description: 'Box', sku, quantity: 2 }])
    same((await make.manifestWithLines(world, id)).lines[0]?.sku, sku, 'sku')
    await rejectedLine(world, { description: 'Box', sku: world.unique('NOSKU') }, 'sku')
  },
  '2.3-4 POST /manifests and its CSV give the same line for the same input': async (world) => {
    const line = make.slabLine(world, { external_ref: 'R-1' })
    const { id } = await make.newManifest(world, [line])
    const file = make.csvBytes(
      'external_ref,description,grader,cert_number',
      `R-1,${line.description},PSA,${line.cert_number}`,
    )
    const { created } = await make.submitCsv(world, file)
    const fromJson = (await make.manifestWithLines(world, id)).lines[0]
    holds(created.length === 1, 'one line was created', created)
    same({ ...created[0], id: '' }, { ...fromJson, id: '' }, 'the line of the CSV')
  },
})

async function rejectedLine(world: World, line: object, field: string): Promise<void> {
  const json = make.manifestBody(world, [{ description: 'Good' }, line as { description: string }])
  faulty(await world.ask('submitManifest', { json }), `lines[1].${field}`)
}
