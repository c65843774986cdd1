import type { ManifestLineCreate } from '../../src/contract/resources/manifest.ts'
import type { ProductCreate } from '../../src/contract/resources/product.ts'
import type { Arrival } from '../../src/contract/resources/sandbox.ts'
import { numbersFrom, pick } from './random.ts'

const sets =
  `Base Set|Jungle|Fossil|Team Rocket|Neo Genesis|Hidden Fates|Evolving Skies|Crown Zenith|Obsidian Flames|151
Topps Chrome|Topps Update|Upper Deck|Bowman Chrome|Panini Prizm|Panini Select|Donruss Optic|O-Pee-Chee|Fleer|Skybox Premium`.split(
    /[|\n]/,
  )
const names =
  `Charizard|Blastoise|Venusaur|Pikachu|Gengar|Umbreon|Rayquaza|Lugia|Mewtwo|Eevee|Gyarados|Dragonite|Snorlax
Ken Griffey Jr.|Ronald Acuña Jr.|Mike Trout|Shohei Ohtani|Juan Soto|Derek Jeter|Albert Pujols|Ichiro Suzuki|Willie Mays
Michael Jordan|LeBron James|Kobe Bryant|Luka Dončić|Allen Iverson|Victor Wembanyama|Anthony Edwards|Stephen Curry|Larry Bird
Tom Brady|Josh Allen|Patrick Mahomes|Joe Montana|Jerry Rice|Wayne Gretzky|Mario Lemieux|Connor McDavid|Sidney Crosby|Lionel Messi`.split(
    /[|\n]/,
  )
const games = ['Pokemon', 'Baseball', 'Basketball', 'Football', 'Hockey', 'Soccer']
const variants = [
  'Holo',
  '1st Edition',
  'Refractor',
  'Silver Prizm',
  'Rookie Card',
  'Special Illustration Rare',
]
const skus = 300

/** Open line `no`: a third by certificate, a third by SKU, a third by description. */
export function expectedLine(no: number): ManifestLineCreate {
  const external_ref = `L-${no}`
  if (no % 3 === 0)
    return { external_ref, description: cardName(no), grader: 'PSA', cert_number: certOf(no), quantity: 1 }
  if (no % 3 === 1) return { external_ref, description: 'Sealed product', sku: skuOf(no), quantity: 1 }
  return { external_ref, description: cardName(no), quantity: 1 }
}

/** What arrives for a line, never spelled exactly as the line. */
export function arrivalFor(no: number): Arrival {
  if (no % 3 === 1) return { type: 'product', sku: skuOf(no), condition_flags: [] }
  const cert_number = no % 3 === 0 ? certOf(no).replace(/(\d{4})/, '$1 ') : String(90_000_000 + no)
  return {
    type: 'graded_slab',
    name: rewritten(no),
    grader: 'psa',
    grade: '9',
    cert_number,
    condition_flags: [],
  }
}

export function catalogProducts(): ProductCreate[] {
  return Array.from({ length: skus }, (_, no) => ({
    name: `Sealed product ${no}`,
    sku: skuOf(no),
    dimensions: { height: 1, length: 1, width: 1, unit: 'in' as const },
    weight: { value: 1, unit: 'oz' as const },
  }))
}

function cardName(no: number): string {
  const next = numbersFrom(no * 7919 + 17)
  const year = 1986 + Math.floor(next() * 39)
  const card = 1 + Math.floor(next() * 350)
  return `${year} ${pick(next, games)} ${pick(next, sets)} ${pick(next, names)} ${pick(next, variants)} #${card}`
}

/** The words in reverse order without one of them: similar to the line, but not equal. */
function rewritten(no: number): string {
  const words = cardName(no).split(' ').reverse()
  return words.filter((_, at) => at !== 2).join(' ')
}

function certOf(no: number): string {
  return String(10_000_000 + no)
}

function skuOf(no: number): string {
  return `SKU-${no % skus}`
}
