import { gradeOn, graders } from '../../src/domain/graders/graders.ts'
import type { ArrivingItem } from '../../src/domain/manifests/matching.ts'

/**
 * One slab as a partner describes it, and as the warehouse reads its label. `isUnclear`: the description has a number that the
 * label lacks, and may lack the card's.
 */
export type CorpusCard = { id: string; description: string; item: ArrivingItem; isUnclear: boolean }

type Series = {
  name: string
  year: number
  total: number
  style: 'fraction' | 'hash' | 'code' | 'promo'
  code?: string
  names: readonly string[]
}
type Card = { series: Series; number: number; name: string; grader: string; grade: string; language: string }

const pokemon =
  'Charizard|Charizard ex|Charizard V|Blastoise|Venusaur|Pikachu|Dark Raichu|Mewtwo ex|Umbreon VMAX|Umbreon|Rayquaza|Lugia|Gengar|Eevee|Gyarados|Dragonite V|Snorlax|Mew|Giratina VSTAR|Sylveon|Espeon|Jolteon|Leafeon VMAX|Glaceon'.split(
    '|',
  )
const athletes =
  'Michael Jordan|Kobe Bryant|LeBron James|Stephen Curry|Luka Doncic|Victor Wembanyama|Tom Brady|Patrick Mahomes|Josh Allen|Joe Montana|Jerry Rice|Mike Trout|Shohei Ohtani|Juan Soto|Derek Jeter|Ken Griffey Jr.|Ronald Acuña Jr.|Ichiro Suzuki|Wayne Gretzky|Mario Lemieux|Connor McDavid|Lionel Messi|Kylian Mbappé|Cristiano Ronaldo'.split(
    '|',
  )
const duelists =
  'Blue-Eyes White Dragon|Dark Magician|Red-Eyes B. Dragon|Exodia the Forbidden One|Monkey D. Luffy|Shanks|Roronoa Zoro|Portgas D. Ace|Nami|Trafalgar Law'.split(
    '|',
  )

const serieses: readonly Series[] = [
  ..."Base Set:1999:102|Jungle:1999:64|Fossil:1999:62|Base Set 2:2000:130|Team Rocket:2000:82|Neo Genesis:2000:111|Expedition:2002:165|Hidden Fates:2019:68|Champion's Path:2020:73|Evolving Skies:2021:203|Crown Zenith:2023:159|Obsidian Flames:2023:197|Scarlet & Violet 151:2023:165|Paldean Fates:2024:91"
    .split('|')
    .map((text) => of(text, 'fraction', pokemon, 'Pokemon ')),
  ...'Fleer:1986:132|Fleer:1987:132|Topps:1996:221|Topps Chrome:1996:220|Topps Chrome:1997:220|Upper Deck:2003:342|Topps Update:2011:330|Bowman Chrome:2018:100|Panini Prizm:2018:300|Panini Prizm:2019:300|Panini Select:2020:400|Donruss Optic:2020:200|Topps Chrome:2022:220|Panini Prizm:2023:300|O-Pee-Chee:1979:396'
    .split('|')
    .map((text) => of(text, 'hash', athletes)),
  ...'Legend of Blue Eyes:2002:126:LOB|Metal Raiders:2002:144:MRD|Romance Dawn:2022:121:OP01|Paramount War:2023:121:OP02|Pillars of Strength:2023:122:OP03|Bowman Prospects:2018:150:BCP|One Piece Promo:2023:60:P'
    .split('|')
    .map((text) => of(text, 'code', duelists)),
  ...'SWSH Black Star Promo:2020:120:SWSH|SM Black Star Promo:2018:120:SM|Hidden Fates Shiny Vault:2019:94:SV|Brilliant Stars Trainer Gallery:2022:30:TG'
    .split('|')
    .map((text) => of(text, 'promo', pokemon, 'Pokemon ')),
]

function of(text: string, style: Series['style'], names: readonly string[], before = ''): Series {
  const [name, year, total, code] = text.split(':')
  return {
    name: `${before}${name}`,
    year: Number(year),
    total: Number(total),
    style,
    names,
    ...(code && { code }),
  }
}

type Roll = (below: number) => number

/**
 * Cards with their near twins, which differ only in grade, qualifier, number, year, or language. `count` is a multiple of
 * five.
 */
export function cardCorpus(count: number, roll: Roll): CorpusCard[] {
  const cards = new Map<string, Card>()
  while (cards.size < count) {
    const base = randomCard(roll)
    for (const card of [base, ...twins(base, roll)]) if (cards.size < count) cards.set(identityOf(card), card)
  }
  return [...cards].map(([id, card]) => {
    const unclear = roll(10) === 0 ? unclearNumbers[roll(card.series.style === 'hash' ? 4 : 2)]! : ''
    const description = `${described(card, unclear !== '', roll)} ${unclear}`.trim()
    return { id, description, item: labelled(card, roll), isUnclear: unclear !== '' }
  })
}

function randomCard(roll: Roll): Card {
  const series = serieses[roll(serieses.length)]!
  const grader = graders[roll(9)]!
  const number = 1 + roll(series.total)
  const language =
    series.names === pokemon && roll(3) === 0
      ? ['Japanese', 'German', 'French', 'Italian', 'Korean'][roll(5)]!
      : ''
  return {
    series,
    number,
    name: nameOf(series, number),
    grader: grader.name,
    grade: gradeFrom(grader.name, roll),
    language,
  }
}

function twins(card: Card, roll: Roll): Card[] {
  const number = 1 + ((card.number + 23 + roll(40)) % card.series.total)
  const language = card.language === 'Japanese' ? 'German' : 'Japanese'
  const reprint = { ...card.series, year: card.series.year + 1 }
  return [
    { ...card, grade: gradeFrom(card.grader, roll) },
    // The same name under another number, as for a full-art card.
    { ...card, number },
    { ...card, series: reprint },
    card.series.names === pokemon ? { ...card, language } : { ...card, grader: 'PSA', grade: '8 OC' },
  ]
}

function identityOf({ series, number, grader, grade, language }: Card): string {
  return [series.name, series.year, number, grader, grade, language].join('|')
}

/** Each number of a set has one name. */
function nameOf({ names, name }: Series, number: number): string {
  const letters = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
  return names[(number * 7 + letters) % names.length]!
}

function gradeFrom(name: string, roll: Roll): string {
  const grader = graders.find((one) => one.name === name)!
  const grades = [...grader.grades].filter((grade) => Number(grade) >= 1 && Number(grade) <= 10)
  const grade = grades[roll(grades.length)]!
  const qualifier = grader.qualifiers && roll(8) === 0 ? ` ${grader.qualifiers[roll(3)]}` : ''
  return gradeOn(grader, grade + qualifier) ?? grade
}

function numberOf({ series, number }: Card, roll: Roll): string {
  const padded = String(number).padStart(3, '0')
  if (series.code === 'BCP') return `BCP-${number}`
  if (series.style === 'promo') return `${series.code}${series.code === 'TG' ? number : padded}`
  if (series.style === 'code') return `${series.code}-${padded}`
  if (series.style === 'hash') return `#${number}`
  return [`${number}/${series.total}`, `${padded}/${series.total}`, `#${number}`, `No. ${padded}`][roll(4)]!
}

/** A set, a shirt, and copies of a print run: no numbers of these cards. */
const unclearNumbers = ['Finest 450', 'Jersey 423', '445/499', '401 of 999']

/** The partner's words, without the card's number if `isBrief`. */
function described(card: Card, isBrief: boolean, roll: Roll): string {
  const { series, name, grader, grade, language } = card
  const [points, half] = [grade.split(' ')[0]!, grade.split(' ')[1]]
  const company = grader === 'PSA' && roll(4) === 0 ? 'P.S.A.' : grader
  const usual = `${company} ${points === '10' && roll(2) ? 'Gem Mint ' : ''}${points}${half ? ` (${half})` : ''}`
  const others = half ? [] : gradesSpelt(points, grader)
  const graded = others.length > 0 && roll(3) === 0 ? others[roll(others.length)] : usual
  const next = String(series.year + 1).slice(2)
  const seasons = [`${series.year}-${next}`, `${String(series.year).slice(2)}-${next}`]
  const year = roll(3) === 0 && series.style === 'hash' ? seasons[roll(2)] : series.year
  const short = roll(2) ? year : `'${String(series.year).slice(2)}`
  // As some exports join their columns.
  const number = isBrief ? '' : numberOf(card, roll)
  const bare = !isBrief && !series.code && roll(3) === 0 ? String(card.number) : spelt(number, series, roll)
  const forms = [
    [year, series.name, language, name, bare, graded],
    [name, '-', series.name, language, number, `(${year})`, graded],
    [short, name, bare, series.name, language, graded],
    [graded, name, number, year, series.name, language],
    [series.name, year, number, name, language, '/', graded],
  ]
  const aside =
    roll(8) === 0
      ? ['pop 350', '$450', 'Lot of 2', series.style === 'fraction' ? 'SV3' : '120 HP'][roll(4)]!
      : ''
  return [...forms[roll(forms.length)]!, aside].filter((part) => part !== '').join(' ')
}

/** As partners spell a number with letters. */
function spelt(number: string, { code, style }: Series, roll: Roll): string {
  if (number === '' || code === undefined || roll(2)) return number
  if (code === 'LOB' || code === 'MRD') return number.replace('-', '-EN')
  if (code === 'BCP') return roll(2) ? number.replace('-', '') : `#${number}`
  return style === 'promo' && roll(2) ? number.replace(code, `${code} `) : number.toLowerCase()
}

/** The spellings of a grade that cannot be a card's number. */
function gradesSpelt(number: string, grader: string): string[] {
  const ten = number === '10' ? [`Graded 10 by ${grader}`, `Gem 10 ${grader}`, `${grader} #10`] : []
  const before = ['9', '9.5', '10'].includes(number)
    ? [`${number} ${grader}`, `${number} (${grader})`, `${number} - ${grader}`]
    : []
  return [...ten, ...before, `${grader} (${number})`, `${grader}/${number}`, `${grader} Grade: ${number}`]
}

/** The label's words, in fields. */
function labelled(card: Card, roll: Roll): ArrivingItem {
  const { series, number, name, grader, grade, language } = card
  const set = [series.year, series.name, language].filter((part) => part !== '').join(' ')
  const cardNumber = {
    code: series.code === 'BCP' ? `BCP-${number}` : `${series.code}-${String(number).padStart(3, '0')}`,
    hash: String(number),
    promo: roll(3) ? numberOf(card, roll) : String(number).padStart(series.code === 'TG' ? 2 : 3, '0'),
    fraction: roll(2) ? String(number) : `${number}/${series.total}`,
  }
  const fields = {
    type: 'graded_slab' as const,
    sku: '',
    grader,
    grade,
    cert_number: String(10_000_000 + roll(60_000)),
  }
  if (roll(2)) return { ...fields, name, set, card_number: cardNumber[series.style] }
  return {
    ...fields,
    name: `${set} ${numberOf(card, roll)} ${name}`.toUpperCase(),
    set: null,
    card_number: null,
  }
}
