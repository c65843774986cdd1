import { entriesOf } from '../check.ts'
import { each, faulty, holds, same } from '../expectations.ts'
import {
  arrive,
  arriveOne,
  close,
  manifestBody,
  manifestWithLines,
  newManifest,
  newProduct,
  reportOf,
  slabArrival,
  slabLine,
  slabOf,
  unitOf,
} from '../making.ts'
import type { World } from '../world.ts'

/** Decisions 6: manifests and matching. */
export const matchingDecisions = entriesOf({
  'D6-1 POST /manifests is all or nothing; an unknown SKU names the line': async (world) => {
    const json = manifestBody(world, [slabLine(world), { description: 'Box', sku: world.unique('NOSKU') }])
    faulty(await world.ask('submitManifest', { json }), 'lines[1].sku')
    const { reference } = json
    same((await world.client.listManifests({ query: { reference } })).data.total, 0, 'manifests made')
  },
  'D6-2 of lines that fit, the oldest manifest first, then line order, until the quantity is filled': async (
    world,
  ) => {
    const { sku } = await newProduct(world)
    const older = await newManifest(world, [
      { description: 'Box', sku, quantity: 2 },
      { description: 'Box', sku },
    ])
    const newer = await newManifest(world, [{ description: 'Box', sku }])
    const unit = unitOf({ sku })
    const matched = each(await arrive(world, [unit, unit, unit, unit, unit]), 'manifest_line_id')
    const [first, second] = await lineIds(world, older.id)
    const [third] = await lineIds(world, newer.id)
    same(matched, [first, first, second, third, null], 'lines of five units')
  },
  "D6-3 where the warehouse attributes an item to a manifest, only that manifest's lines count": async (
    world,
  ) => {
    const line = slabLine(world)
    await newManifest(world, [line])
    const other = await newManifest(world)
    const intake = await arriveOne(world, slabOf(world, line), other.id)
    same([intake.manifest_id, intake.manifest_line_id], [other.id, null], 'manifest and line')
  },
  'D6-4 certificates are compared without spaces, dashes and case; the grader where both sides give one':
    async (world) => {
      const cert = world.unique('CERT')
      const [written, other] = [cert.toLowerCase().replaceAll('-', ' '), cert.replaceAll('-', '')]
      const { id } = await newManifest(world, [
        slabLine(world, { cert_number: written, grader: 'psa', description: 'unlike' }),
        slabLine(world, { cert_number: other, grader: null, description: 'unlike' }),
      ])
      const bgs = await arriveOne(world, slabArrival(world, { cert_number: cert, grader: 'BGS' }))
      const psa = await arriveOne(world, slabArrival(world, { cert_number: cert, grader: 'PSA' }))
      const [first, second] = await lineIds(world, id)
      same([bgs.manifest_line_id, psa.manifest_line_id], [second, first], 'lines of a BGS and a PSA slab')
    },
  'D6-5 a product item is matched by its SKU': async (world) => {
    const { sku } = await newProduct(world)
    const { id } = await newManifest(world, [{ description: 'Quite another word', sku }])
    await arriveOne(world, unitOf({ sku }))
    const { lines } = await reportOf(world, id)
    same([lines[0]?.match_key, lines[0]?.match_score, lines[0]?.status], ['sku', 1, 'matched'], 'the line')
  },
  'D6-6 description: only for lines without cert_number and sku, at least 0.75 alike, the best score first':
    async (world) => {
      const tag = world.unique('Zubat').replaceAll('-', '')
      const { id } = await newManifest(world, [
        { description: `Crobat ${tag} Skyridge Holo` },
        { description: `${tag} Neo Genesis` },
        slabLine(world, { description: `${tag} Neo Genesis Holo` }),
      ])
      const blank = { set: null, card_number: null, grader: 'PSA', grade: '9' }
      const alike = slabArrival(world, { ...blank, name: `Neo Genesis, ${tag.toLowerCase()} HOLO` })
      const unlike = slabArrival(world, { ...blank, name: `${tag} Base` })
      const [first, second] = await arrive(world, [alike, unlike], id)
      const words = (await lineIds(world, id))[1]
      same([first?.manifest_line_id, second?.manifest_line_id], [words, null], 'lines')
    },
  'D6-7 how a line was matched is kept, and shown in the report as match_key and match_score': async (
    world,
  ) => {
    const tag = world.unique('Golbat').replaceAll('-', '')
    const byCert = slabLine(world)
    const { id } = await newManifest(world, [
      byCert,
      { description: `${tag} Jungle Holo Rare` },
      slabLine(world),
    ])
    const words = { name: `${tag} Jungle Holo`, set: null, card_number: null }
    await arrive(world, [slabOf(world, byCert), slabArrival(world, words)], id)
    const [first, second, third] = (await reportOf(world, id)).lines
    same([first?.match_key, first?.match_score], ['cert_number', 1], 'of the first line')
    holds(second?.match_key === 'description', 'the second line was matched by words', second)
    const score = second.match_score ?? 0
    holds(score >= 0.75 && score < 1, 'its score is between 0.75 and 1', score)
    same([third?.match_key, third?.match_score], [null, null], 'of a line that nothing came for')
  },
  'D6-8 an item that is matched without being attributed makes its manifest receiving too': async (world) => {
    const line = slabLine(world)
    const { id } = await newManifest(world, [line])
    const intake = await arriveOne(world, slabOf(world, line))
    same([intake.manifest_id, (await manifestWithLines(world, id)).status], [id, 'receiving'], 'the manifest')
  },
  'D6-9 a line may carry sku beside cert_number: it is matched by certificate first (decisions 11)': async (
    world,
  ) => {
    const { sku } = await newProduct(world)
    const line = slabLine(world, { sku })
    const { id } = await newManifest(world, [line])
    const intake = await arriveOne(world, slabOf(world, line))
    same(intake.manifest_id, id, 'the manifest')
    same((await reportOf(world, id)).lines[0]?.match_key, 'cert_number', 'match_key')
    const twice = manifestBody(world, [slabLine(world, { quantity: 2 })])
    faulty(await world.ask('submitManifest', { json: twice }), 'lines[0].quantity')
  },
  'D6-10 an arrival window in the past is accepted, an end before its start is a 400 (decisions 11)': async (
    world,
  ) => {
    const past = { expected_arrival_start: '2031-05-02', expected_arrival_end: '2031-05-02' }
    same((await newManifest(world, undefined, past)).expected_arrival_end, '2031-05-02', 'the end')
    const json = { ...manifestBody(world), ...past, expected_arrival_end: '2031-05-01' }
    faulty(await world.ask('submitManifest', { json }), 'expected_arrival_end')
    const old = await newManifest(world, undefined, { expected_arrival_start: '2020-01-01' })
    same((await close(world, old)).expected_arrival_start, '2020-01-01', 'a start long ago')
  },
})

async function lineIds(world: World, id: string): Promise<string[]> {
  return each((await manifestWithLines(world, id)).lines, 'id')
}
