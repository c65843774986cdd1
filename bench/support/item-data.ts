import type { ItemStatus } from '../../src/contract/enums.ts'
import { gradedSku, makeQid } from '../../src/domain/items/qid.ts'
import type { ItemRecord, OwnItem } from '../../src/store/tables/items.ts'
import { numbersFrom, pick, pickWeighted } from './random.ts'

const statuses: ReadonlyArray<readonly [ItemStatus, number]> = [
  ['received', 3],
  ['digitized', 4],
  ['available', 70],
  ['in_fulfillment', 4],
  ['in_transit', 3],
  ['delivered', 11],
  ['pending_transfer', 1],
  ['released', 2],
  ['withdrawn', 2],
]
const graders = [
  ['PSA', 60],
  ['CGC', 18],
  ['BGS', 14],
  ['SGC', 8],
] as const
const grades = ['10', '9.5', '9', '8.5', '8', '7', '6']
const sets =
  `Base Set|Jungle|Fossil|Team Rocket|Neo Genesis|Hidden Fates|Evolving Skies|Crown Zenith|Obsidian Flames|151
Topps Chrome|Topps Update|Upper Deck|Bowman Chrome|Panini Prizm|Panini Select|Donruss Optic|O-Pee-Chee|Fleer|Skybox Premium`.split(
    /[|\n]/,
  )
const games = ['Pokemon', 'Baseball', 'Basketball', 'Football', 'Hockey', 'Soccer']
const names =
  `Charizard|Blastoise|Venusaur|Pikachu|Gengar|Umbreon|Rayquaza|Lugia|Mewtwo|Eevee|Gyarados|Dragonite|Snorlax|Alakazam|Machamp
Ken Griffey Jr.|Ronald Acuña Jr.|Mike Trout|Shohei Ohtani|Juan Soto|Derek Jeter|Albert Pujols|Ichiro Suzuki|Willie Mays|Hank Aaron
Michael Jordan|LeBron James|Kobe Bryant|Luka Dončić|Allen Iverson|Victor Wembanyama|Anthony Edwards|Stephen Curry|Larry Bird|Magic Johnson
Tom Brady|Josh Allen|Patrick Mahomes|Joe Montana|Jerry Rice|Wayne Gretzky|Mario Lemieux|Connor McDavid|Sidney Crosby|Lionel Messi`.split(
    /[|\n]/,
  )
const variants = [
  '',
  ' Holo',
  ' 1st Edition',
  ' Refractor',
  ' Silver Prizm',
  ' Rookie Card',
  ' Special Illustration Rare',
]
const boxes = [
  'Elite Trainer Box',
  'Booster Box',
  'Hobby Box',
  'Blaster Box',
  'Booster Bundle',
  'Tin',
  'Fat Pack',
]

/** This many items, whatever the total, have this word in their name and SKU. */
export const rareWord = 'Zapdos Quill'
export const rareSku = 'VLT-QUILL'
export const rareItems = 40

/** Item `no` of `total` (from 1), always the same. Every 100 share a manifest; a third are catalog products. */
export function itemRecord(no: number, total: number): ItemRecord {
  const next = numbersFrom(no * 7919 + 17)
  const rare = no % Math.floor(total / rareItems) === 1
  const status = pickWeighted(next, statuses)
  const intake = startAt + Math.floor((no / total) * spanMs)
  const manifest = uuidOf(1, Math.ceil(no / 100))
  const matched = next() < 0.95
  const common = {
    qid: makeQid(bytes(next, 11)),
    status,
    external_ref: matched ? `PO-${Math.ceil(no / 100)}-${no % 100}` : null,
    manifest_line_id: matched ? uuidOf(2, no) : null,
    active_fulfillment_id: status === 'in_fulfillment' ? uuidOf(3, no) : null,
    image_assets: [],
    intake_at: new Date(intake).toISOString(),
    updated_at: new Date(intake + Math.floor(next() * 30 * 86_400_000)).toISOString(),
    model_3d: null,
  }
  const item = rare || next() < 0.33 ? productItem(next, common, rare) : slabItem(next, common)
  return { item, item_no: no, manifest_id: manifest, transfer_id: null, condition_flags: [] }
}

type Common = Omit<
  OwnItem,
  'type' | 'name' | 'sku' | 'set' | 'card_number' | 'cert_number' | 'grade' | 'grader'
>
const startAt = Date.parse('2024-05-01T00:00:00.000Z')
const spanMs = 700 * 86_400_000

function slabItem(next: () => number, common: Common): OwnItem {
  const set = pick(next, sets)
  const card_number = String(1 + Math.floor(next() * 350))
  const grader = pickWeighted(next, graders)
  const grade = pick(next, grades)
  const year = 1986 + Math.floor(next() * 39)
  const name = `${year} ${pick(next, games)} ${set} ${pick(next, names)}${pick(next, variants)} #${card_number}`
  const sku = gradedSku({ grader, grade, name, set, card_number })
  const cert_number = String(10_000_000 + Math.floor(next() * 120_000_000))
  const { image_assets: _, ...rest } = common
  const assets = (['front', 'back'] as const).map((variant) => ({
    variant,
    url: `https://cdn.example/items/${common.qid}/${variant}.webp`,
    width: 1200,
    height: 2000,
    format: 'webp' as const,
  }))
  return {
    type: 'graded_slab',
    name,
    sku,
    category: 'cards',
    set,
    card_number,
    cert_number,
    grade,
    grader,
    ...rest,
    image_assets: assets,
  } as OwnItem
}

function productItem(next: () => number, common: Common, rare: boolean): OwnItem {
  const no = Math.floor(next() * 2000)
  const word = numbersFrom(no)
  const name = rare
    ? `${rareWord} Vault Box`
    : `${pick(word, games)} ${pick(word, sets)} ${pick(word, boxes)} ${no}`
  const sku = rare ? rareSku : `${pick(word, ['PKM', 'TOP', 'PAN', 'BOW'])}-${no}`
  return {
    type: 'product',
    name,
    sku,
    set: null,
    card_number: null,
    cert_number: null,
    grade: null,
    grader: null,
    ...common,
  } as OwnItem
}

/** A UUID from a kind and a number. */
export function uuidOf(kind: number, n: number): string {
  return `0199${kind.toString(16).padStart(4, '0')}-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
}

function bytes(next: () => number, count: number): Uint8Array {
  return Uint8Array.from({ length: count }, () => Math.floor(next() * 256))
}
