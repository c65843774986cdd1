import type { BodyInput, ResultOf } from '../../contract/operations.ts'
import { answered, each, faulty, holds, rejected, same } from '../check.ts'
import { shaped, shapes } from '../shapes.ts'
import { csvBytes, entriesOf, noUuid, rowCodes, seenBy, upload, type World } from '../world.ts'

export const manifestRules = entriesOf({
  '2.1-1 a manifest has the fields of 2.1, each of its type': async (world) => {
    const arrival = { expected_arrival_start: '2030-01-01', expected_arrival_end: '2030-02-01' }
    const full = await world.newManifest(undefined, { source: 'card_show', ...arrival })
    shaped(full, shapes.manifest, 'the manifest')
    same([full.source, full.expected_arrival_end], ['card_show', '2030-02-01'], 'source and arrival end')
    shaped(await world.newManifest(), shapes.manifest, 'a manifest with required fields alone')
  },
  '2.1-2 source is card_show, marketplace, distributor, or other; anything else is a 400': async (world) => {
    for (const source of ['card_show', 'marketplace', 'distributor', 'other'] as const)
      same((await world.newManifest(undefined, { source })).source, source, 'source')
    faulty(
      await world.ask('submitManifest', { json: { ...world.manifestBody(), source: 'auction' } }),
      'source',
    )
  },
  '2.1-3 arrival dates are calendar dates or null; anything else is a 400': async (world) => {
    const empty = await world.newManifest(undefined, {
      expected_arrival_start: null,
      expected_arrival_end: null,
    })
    same(empty.expected_arrival_end, null, 'expected_arrival_end')
    for (const date of ['2030-02-30', '2030-1-1', 'soon', '2030-01-01T00:00:00Z', 20300101]) {
      const json = { ...world.manifestBody(), expected_arrival_end: date }
      faulty(await world.ask('submitManifest', { json }), 'expected_arrival_end')
    }
  },
  '2.1-4 answers to close and to a CSV upload include the ManifestLine objects as lines and created': seenBy(
    '4.1-3',
    '4.1-9',
  ),
  '2.2-1 a line has the fields of 2.2 and repeats what was sent': async (world) => {
    const sent = world.slabLine({ external_ref: world.unique('LOT') })
    const { lines } = await world.manifestWithLines((await world.newManifest([sent])).id)
    shaped(lines[0], shapes.manifestLine, 'the line')
    same({ ...lines[0], ...sent }, lines[0], 'the line')
  },
  "2.2-2 the matched item repeats the line's external_ref, and the line has the item's QID": seenBy('2.5-5'),
  '2.3-1 a line requires only description; other fields may be omitted or null': async (world) => {
    const bare = { external_ref: null, grader: null, cert_number: null, sku: null, quantity: 1 }
    const { id } = await world.newManifest([{ description: 'A' }, { description: 'B', ...bare }])
    const { lines } = await world.manifestWithLines(id)
    for (const line of lines) same({ ...line, ...bare }, line, 'a line')
    const json = world.manifestBody([{} as { description: string }])
    faulty(await world.ask('submitManifest', { json }), 'lines[0].description')
  },
  '2.3-2 quantity is a whole number from 1 on, and 1 if omitted': async (world) => {
    const { id } = await world.newManifest([{ description: 'A' }, { description: 'B', quantity: 3 }])
    const { lines } = await world.manifestWithLines(id)
    same(each(lines, 'quantity'), [1, 3], 'quantities')
    for (const quantity of [0, -1, 1.5, '2', null])
      await rejectedLine(world, { description: 'A', quantity }, 'quantity')
  },
  "2.3-3 a line's sku must be in the partner's catalog; otherwise a 400 names the line": async (world) => {
    const { sku } = await world.newProduct()
    const { id } = await world.newManifest([{ description: 'Box', sku, quantity: 2 }])
    same((await world.manifestWithLines(id)).lines[0]?.sku, sku, 'sku')
    await rejectedLine(world, { description: 'Box', sku: world.unique('NOSKU') }, 'sku')
  },
  '2.3-4 POST /manifests and its CSV give the same line for the same input': async (world) => {
    const line = world.slabLine({ external_ref: 'R-1' })
    const { id } = await world.newManifest([line])
    const file = csvBytes(
      'external_ref,description,grader,cert_number',
      `R-1,${line.description},PSA,${line.cert_number}`,
    )
    const { created } = await world.submitCsv(file)
    const fromJson = (await world.manifestWithLines(id)).lines[0]
    holds(created.length === 1, 'one line was created', created)
    same({ ...created[0], id: '' }, { ...fromJson, id: '' }, 'the line of the CSV')
  },
  '3.1-1 a new manifest is submitted': async (world) =>
    same((await world.newManifest()).status, 'submitted', 'status'),
  '3.1-2 a manifest is receiving once an item has arrived for it': async (world) => {
    const { id } = await world.newManifest()
    await world.arriveOne(undefined, id)
    same((await world.manifestWithLines(id)).status, 'receiving', 'status')
  },
  '3.1-3 close makes a submitted manifest reconciled and emits manifest.reconciliation.completed': async (
    world,
  ) => {
    const manifest = await world.newManifest()
    const { result, lines } = await world.events.during(() => world.close(manifest), [manifest.id])
    same(result.status, 'reconciled', 'status')
    same(lines, [`manifest.reconciliation.completed ${manifest.id}`], 'events')
  },
  '3.1-4 close makes a receiving manifest reconciled too': seenBy('D6-12'),
  '3.1-5 reconciled is final: closing it again is a 409 and changes nothing': async (world) => {
    const manifest = await world.newManifest()
    const closed = await world.close(manifest)
    const seen = await world.ask('closeManifest', { params: { manifest_id: manifest.id } })
    rejected(seen, 409, 'state_conflict')
    same(await world.manifestWithLines(manifest.id), closed, 'the manifest')
  },
  '3.1-6 an open manifest closes automatically once expected_arrival_end and the grace days have passed':
    closesByItself,
  '3.1-7 a manifest cannot be changed after submission: no operation changes what was sent': async (
    world,
  ) => {
    const paths = Object.entries(world.document.paths).filter(([path]) => path.startsWith('/manifests'))
    const changing = paths.filter(([, methods]) => ['put', 'patch', 'delete'].some((m) => methods?.[m]))
    same(Object.keys(Object.fromEntries(changing)), [], 'paths of manifests with PUT, PATCH or DELETE')
  },
  '3.2-1 a line is expected until its item arrives and verifies, then matched': seenBy('D6-11'),
  '3.2-2 a line is condition_mismatch if its item was flagged at intake': seenBy('D6-11'),
  '3.2-3 a line whose item never arrived is missing once the manifest is closed': seenBy('D6-12'),
  '3.2-4 cert_number is the strongest match key: it wins over a description that fits another line': async (
    world,
  ) => {
    const arrival = world.slabArrival()
    const byWords = { description: arrival.name ?? '' }
    const byCert = world.slabLine({ cert_number: arrival.cert_number ?? '' })
    const { id } = await world.newManifest([byWords, byCert])
    const intake = await world.arriveOne(arrival)
    const { lines } = await world.manifestWithLines(id)
    same(intake.manifest_line_id, lines[1]?.id, 'the line that was matched')
  },
  '4.1-1 POST /manifests: 201 with the manifest, open for matching, with its line_count': async (world) => {
    const body = world.manifestBody([world.slabLine(), world.slabLine()])
    const { data, status } = await world.client.submitManifest({ body })
    same(status, 201, 'status')
    same({ ...data, reference: body.reference, status: 'submitted', line_count: 2 }, data, 'the answer')
    const intake = await world.arriveOne(undefined, data.id)
    same(intake.manifest_id, data.id, 'the manifest of an arrival')
  },
  '4.1-2 POST /manifests requires reference and at least one line': async (world) => {
    faulty(await world.ask('submitManifest', { json: {} }), 'reference', 'lines')
    faulty(await world.ask('submitManifest', { json: { ...world.manifestBody(), lines: [] } }), 'lines')
  },
  '4.1-3 POST /manifests/csv: 201 with manifest, created, errors, and totals': async (world) => {
    const file = csvBytes('description', 'One', 'Two')
    const answer = await world.submitCsv(file)
    same(answer.totals, { created: 2, failed: 0, submitted: 2 }, 'totals')
    same([answer.manifest.line_count, answer.created.length, answer.errors], [2, 2, []], 'the parts')
    shaped(answer.manifest, shapes.manifest, 'the manifest')
    shaped(answer.created[0], shapes.manifestLine, 'the line')
  },
  '4.1-4 POST /manifests/csv requires file and reference; source is optional': async (world) => {
    const file = csvBytes('description', 'One')
    faulty(await world.ask('submitManifestCsv', upload(file)), 'reference')
    const noFile = { form: { fields: [['reference', world.unique('PO')]] as const } }
    faulty(await world.ask('submitManifestCsv', noFile), 'file')
    const sourced = { file, reference: world.unique('PO'), source: 'marketplace' as const }
    const { data } = await world.client.submitManifestCsv({ form: sourced })
    same(data.manifest.source, 'marketplace', 'source')
    faulty(
      await world.ask('submitManifestCsv', world.manifestUpload(file, [['source', 'auction']])),
      'source',
    )
  },
  '4.1-5 its columns are external_ref, description, sku, grader, cert_number, quantity; one row is one line':
    async (world) => {
      const { sku } = await world.newProduct()
      const cert = world.unique('CERT')
      const file = csvBytes(
        'external_ref,description,sku,grader,cert_number,quantity',
        `R-1,Boxes,${sku},,,6`,
        `R-2,A slab,,PSA,${cert},`,
      )
      const { created } = await world.submitCsv(file)
      const line = { grader: null, cert_number: null, sku: null, status: 'expected', matched_qids: [] }
      const box = { ...line, id: created[0]?.id, external_ref: 'R-1', description: 'Boxes', sku, quantity: 6 }
      const slab = { ...line, id: created[1]?.id, external_ref: 'R-2', description: 'A slab', quantity: 1 }
      same(created, [box, { ...slab, grader: 'PSA', cert_number: cert }], 'created')
    },
  '4.1-6 a row is a product by sku or a slab by grader and cert_number, never both': async (world) => {
    const { sku } = await world.newProduct()
    const file = csvBytes('description,sku,grader,cert_number', 'Good,,,', `Mixed,${sku},PSA,1`)
    const { errors, totals } = await world.submitCsv(file)
    same(rowCodes(errors), ['2 validation_error'], 'errors')
    same(totals, { created: 1, failed: 1, submitted: 2 }, 'totals')
  },
  '4.1-7 valid rows become one manifest; invalid rows are returned one by one': async (world) => {
    const file = csvBytes('description,quantity', 'One,1', ',1', 'Two,0', 'Three,3')
    const { manifest, created, errors } = await world.submitCsv(file)
    same(each(created, 'description'), ['One', 'Three'], 'created')
    same(each(errors, 'row'), [2, 3], 'rows of the errors')
    const { lines } = await world.manifestWithLines(manifest.id)
    same(lines, created, 'the lines of the manifest')
  },
  '4.1-8 GET /manifests lists newest first, filtered by status and by exact reference': async (world) => {
    const body: BodyInput<'submitManifest'> = world.manifestBody()
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.push((await world.client.submitManifest({ body })).data.id)
    await world.close({ id: ids[1] ?? '' })
    const list = async (query: object) =>
      each((await world.client.listManifests({ query })).data.results, 'id')
    const { reference } = body
    same(await list({ reference }), ids.toReversed(), 'all three')
    same(await list({ reference, status: 'reconciled' }), [ids[1]], 'the reconciled one')
    same(await list({ reference: reference.slice(0, -1) }), [], 'of a part of the reference')
    faulty(await world.ask('listManifests', { query: { status: 'open' } }), 'status')
  },
  '4.1-9 POST /manifests/{id}/close without a body: 200 with the manifest and its lines': async (world) => {
    const { id, reference } = await world.newManifest([world.slabLine(), world.slabLine()])
    const seen = answered(await world.ask('closeManifest', { params: { manifest_id: id } }), 200)
    const { lines, ...closed } = seen.body as ResultOf<'closeManifest'>
    same([closed.id, closed.reference, lines.length], [id, reference, 2], 'the answer')
    shaped(closed, shapes.manifest, 'the manifest')
    shaped(lines[0], shapes.manifestLine, 'its line')
  },
  '4.1-10 close: 404 for an unknown manifest, 400 for an id that is not a UUID': async (world) => {
    const ask = (manifest_id: string) => world.ask('closeManifest', { params: { manifest_id } })
    rejected(await ask(noUuid), 404, 'not_found')
    faulty(await ask('42'), 'manifest_id')
  },
})

async function rejectedLine(world: World, line: object, field: string): Promise<void> {
  const json = world.manifestBody([{ description: 'Good' }, line as { description: string }])
  faulty(await world.ask('submitManifest', { json }), `lines[1].${field}`)
}

/** Its arrival window is long past, so moving the clock by one second is enough. */
async function closesByItself(world: World): Promise<void> {
  const window = { expected_arrival_start: '2020-01-01', expected_arrival_end: '2020-01-31' }
  const due = await world.newManifest(undefined, window)
  const endless = await world.newManifest()
  const { lines } = await world.events.during(
    () => world.client.advanceClock({ body: { seconds: 1 } }),
    [due.id, endless.id],
  )
  same(lines, [`manifest.reconciliation.completed ${due.id}`], 'events')
  same((await world.manifestWithLines(due.id)).status, 'reconciled', 'status of the manifest that was due')
  holds(
    (await world.manifestWithLines(endless.id)).status !== 'reconciled',
    'status of a manifest without an end',
  )
}
