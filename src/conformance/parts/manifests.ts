import type { BodyInput, ResultOf } from '../../contract/operations.ts'
import { answered, each, entriesOf, faulty, holds, rejected, same } from '../check.ts'
import * as make from '../making.ts'

export const manifestOperations = entriesOf({
  '4.1-1 POST /manifests: 201 with the manifest, open for matching, with its line_count': async (world) => {
    const body = make.manifestBody(world, [make.slabLine(world), make.slabLine(world)])
    const { data, status } = await world.client.submitManifest({ body })
    same(status, 201, 'status')
    same({ ...data, reference: body.reference, status: 'submitted', line_count: 2 }, data, 'the answer')
    const intake = await make.arriveOne(world, undefined, data.id)
    same(intake.manifest_id, data.id, 'the manifest of an arrival')
  },
  '4.1-2 POST /manifests requires reference and at least one line': async (world) => {
    faulty(await world.ask('submitManifest', { json: {} }), 'reference', 'lines')
    faulty(await world.ask('submitManifest', { json: { ...make.manifestBody(world), lines: [] } }), 'lines')
  },
  '4.1-3 POST /manifests/csv: 201 with manifest, created, errors, and totals': async (world) => {
    const file = make.csvBytes('description', 'One', 'Two')
    const answer = await make.submitCsv(world, file)
    same(answer.totals, { created: 2, failed: 0, submitted: 2 }, 'totals')
    same([answer.manifest.line_count, answer.created.length, answer.errors], [2, 2, []], 'the parts')
  },
  '4.1-4 POST /manifests/csv requires file and reference; source is optional': async (world) => {
    const file = make.csvBytes('description', 'One')
    faulty(await world.ask('submitManifestCsv', make.upload(file)), 'reference')
    const noFile = { form: { fields: [['reference', world.unique('PO')]] as const } }
    faulty(await world.ask('submitManifestCsv', noFile), 'file')
    const sourced = { file, reference: world.unique('PO'), source: 'marketplace' as const }
    const { data } = await world.client.submitManifestCsv({ form: sourced })
    same(data.manifest.source, 'marketplace', 'source')
    faulty(
      await world.ask('submitManifestCsv', make.manifestUpload(world, file, [['source', 'auction']])),
      'source',
    )
  },
  '4.1-5 its columns are external_ref, description, sku, grader, cert_number, quantity; one row is one line':
    async (world) => {
      const { sku } = await make.newProduct(world)
      const cert = world.unique('CERT')
      const file = make.csvBytes(
        'external_ref,description,sku,grader,cert_number,quantity',
        `R-1,Boxes,${sku},,,6`,
        `R-2,A slab,,PSA,${cert},`,
      )
      const { created } = await make.submitCsv(world, file)
      const line = { grader: null, cert_number: null, sku: null, status: 'expected', matched_qids: [] }
      const box = { ...line, id: created[0]?.id, external_ref: 'R-1', description: 'Boxes', sku, quantity: 6 }
      const slab = { ...line, id: created[1]?.id, external_ref: 'R-2', description: 'A slab', quantity: 1 }
      same(created, [box, { ...slab, grader: 'PSA', cert_number: cert }], 'created')
    },
  '4.1-6 a row is a product by sku or a slab by grader and cert_number, never both': async (world) => {
    const { sku } = await make.newProduct(world)
    const file = make.csvBytes('description,sku,grader,cert_number', 'Good,,,', `Mixed,${sku},PSA,1`)
    const { errors, totals } = await make.submitCsv(world, file)
    same(make.rowCodes(errors), ['2 validation_error'], 'errors')
    same(totals, { created: 1, failed: 1, submitted: 2 }, 'totals')
  },
  '4.1-7 valid rows become one manifest; invalid rows are returned one by one': async (world) => {
    const file = make.csvBytes('description,quantity', 'One,1', ',1', 'Two,0', 'Three,3')
    const { manifest, created, errors } = await make.submitCsv(world, file)
    same(each(created, 'description'), ['One', 'Three'], 'created')
    same(each(errors, 'row'), [2, 3], 'rows of the errors')
    const { lines } = await make.manifestWithLines(world, manifest.id)
    same(lines, created, 'the lines of the manifest')
  },
  '4.1-8 GET /manifests lists newest first, filtered by status and by exact reference': async (world) => {
    const body: BodyInput<'submitManifest'> = make.manifestBody(world)
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.push((await world.client.submitManifest({ body })).data.id)
    await make.close(world, { id: ids[1] ?? '' })
    const list = async (query: object) =>
      each((await world.client.listManifests({ query })).data.results, 'id')
    const { reference } = body
    same(await list({ reference }), ids.toReversed(), 'all three')
    same(await list({ reference, status: 'reconciled' }), [ids[1]], 'the reconciled one')
    same(await list({ reference: reference.slice(0, -1) }), [], 'of a part of the reference')
    faulty(await world.ask('listManifests', { query: { status: 'open' } }), 'status')
  },
  '4.1-9 POST /manifests/{id}/close without a body: 200 with the manifest and its lines': async (world) => {
    const { id, reference } = await make.newManifest(world, [make.slabLine(world), make.slabLine(world)])
    const seen = answered(await world.ask('closeManifest', { params: { manifest_id: id } }), 200)
    const closed = seen.body as ResultOf<'closeManifest'>
    same([closed.id, closed.reference, closed.lines.length], [id, reference, 2], 'the answer')
  },
  '4.1-10 close: 404 for an unknown manifest, 400 for an id that is not a UUID': async (world) => {
    const ask = (manifest_id: string) => world.ask('closeManifest', { params: { manifest_id } })
    rejected(await ask(make.noUuid), 404, 'not_found')
    faulty(await ask('42'), 'manifest_id')
    holds((await ask(make.noUuid)).headers['idempotency-replayed'] === undefined, 'a 404 is not a replay')
  },
})
