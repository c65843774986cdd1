import { each, entriesOf, faulty, holds, rejected, same } from '../check.ts'
import * as make from '../making.ts'
import type { World } from '../world.ts'

/** 3.1 Manifest status, 3.2 Manifest line status. */
export const manifestStates = entriesOf({
  '3.1-1 a new manifest is submitted': async (world) =>
    same((await make.newManifest(world)).status, 'submitted', 'status'),
  '3.1-2 a manifest is receiving once an item has arrived for it': async (world) => {
    const { id } = await make.newManifest(world)
    await make.arriveOne(world, undefined, id)
    same((await make.manifestWithLines(world, id)).status, 'receiving', 'status')
  },
  '3.1-3 close makes a submitted manifest reconciled and emits manifest.reconciliation.completed': async (
    world,
  ) => {
    const manifest = await make.newManifest(world)
    const { result, lines } = await world.events.during(() => make.close(world, manifest), [manifest.id])
    same(result.status, 'reconciled', 'status')
    same(lines, [`manifest.reconciliation.completed ${manifest.id}`], 'events')
  },
  '3.1-4 close makes a receiving manifest reconciled too': async (world) => {
    const manifest = await make.newManifest(world)
    await make.arriveOne(world, undefined, manifest.id)
    same((await make.close(world, manifest)).status, 'reconciled', 'status')
  },
  '3.1-5 reconciled is final: closing it again is a 409 and changes nothing': async (world) => {
    const manifest = await make.newManifest(world)
    const closed = await make.close(world, manifest)
    const seen = await world.ask('closeManifest', { params: { manifest_id: manifest.id } })
    rejected(seen, 409, 'state_conflict')
    same(await make.manifestWithLines(world, manifest.id), closed, 'the manifest')
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
  '3.2-1 a line is expected until its item arrives and verifies, then matched': async (world) => {
    const line = make.slabLine(world)
    const { id } = await make.newManifest(world, [line])
    same(await lineStatuses(world, id), ['expected'], 'before')
    await make.arriveOne(world, make.slabOf(world, line))
    same(await lineStatuses(world, id), ['matched'], 'after')
  },
  '3.2-2 a line is condition_mismatch if its item was flagged at intake': async (world) => {
    const line = make.slabLine(world)
    const { id } = await make.newManifest(world, [line])
    await make.arriveOne(world, make.slabOf(world, line, ['cracked_case']))
    same(await lineStatuses(world, id), ['condition_mismatch'], 'after')
  },
  '3.2-3 a line whose item never arrived is missing once the manifest is closed': async (world) => {
    const [here, gone] = [make.slabLine(world), make.slabLine(world)]
    const manifest = await make.newManifest(world, [here, gone])
    await make.arriveOne(world, make.slabOf(world, here))
    const { lines } = await make.close(world, manifest)
    same(each(lines, 'status'), ['matched', 'missing'], 'statuses')
  },
  '3.2-4 cert_number is the strongest match key: it wins over a description that fits another line': async (
    world,
  ) => {
    const arrival = make.slabArrival(world)
    const byWords = { description: arrival.name ?? '' }
    const byCert = make.slabLine(world, { cert_number: arrival.cert_number ?? '' })
    const { id } = await make.newManifest(world, [byWords, byCert])
    const intake = await make.arriveOne(world, arrival)
    const { lines } = await make.manifestWithLines(world, id)
    same(intake.manifest_line_id, lines[1]?.id, 'the line that was matched')
  },
})

async function lineStatuses(world: World, id: string): Promise<string[]> {
  return each((await make.manifestWithLines(world, id)).lines, 'status')
}

/** Its arrival window is long past, so moving the clock by one second is enough. */
async function closesByItself(world: World): Promise<void> {
  const window = { expected_arrival_start: '2020-01-01', expected_arrival_end: '2020-01-31' }
  const due = await make.newManifest(world, undefined, window)
  const endless = await make.newManifest(world)
  const { lines } = await world.events.during(
    () => world.client.advanceClock({ body: { seconds: 1 } }),
    [due.id, endless.id],
  )
  same(lines, [`manifest.reconciliation.completed ${due.id}`], 'events')
  same(
    (await make.manifestWithLines(world, due.id)).status,
    'reconciled',
    'status of the manifest that was due',
  )
  holds(
    (await make.manifestWithLines(world, endless.id)).status !== 'reconciled',
    'status of a manifest without an end',
  )
  const back = await world.ask('advanceClock', { json: { seconds: -1 } })
  faulty(back, 'seconds')
}
