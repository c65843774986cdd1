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
/** `run`: the copies of a parallel, which its label names, as in `Gold /50`. `variant`: as the label has it. */
type Card = {
  series: Series
  number: number
  name: string
  grader: string
  grade: string
  language: string
  run: string
  variant: string
}

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
  ...'Fleer:1986:132|Fleer:1987:132|Topps:1996:221|Topps Chrome:1996:220|Topps Chrome:1997:220|Upper Deck:2003:342|Topps Update:2011:330|Bowman Chrome:2018:100|Panini Prizm:2018:300|Panini Prizm:2019:300|Panini Select:2020:400|Donruss Optic:2020:200|Topps Chrome:2022:220|Panini Prizm:2023:300|O-Pee-Chee:1979:396|Topps Total:2003:1870|Upper Deck Series 2:2005:1800'
    .split('|')
    .map((text) => of(text, 'hash', athletes)),
  ...'Legend of Blue Eyes:2002:126:LOB|Metal Raiders:2002:144:MRD|Romance Dawn:2022:121:OP01|Paramount War:2023:121:OP02|Pillars of Strength:2023:122:OP03|Bowman Prospects:2018:150:BCP|Bowman Prospects:2018:150:BP|One Piece Promo:2023:60:P|Vanguard Descent:2011:80:BT01|Vanguard Onslaught:2011:80:BT02'
    .split('|')
    .map((text) => of(text, 'code', duelists)),
  ...'SWSH Black Star Promo:2020:120:SWSH|SM Black Star Promo:2018:120:SM|Hidden Fates Shiny Vault:2019:94:SV|Hidden Fates Shiny Vault:2019:94:SMA|Brilliant Stars Trainer Gallery:2022:30:TG'
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
  const grader = graders[roll(graders.length)]!
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
    run: runOf(series, number, roll),
    variant: roll(3) === 0 ? variantOf(series, roll) : '',
  }
}

/** Some cards are parallels only. */
function runOf({ names }: Series, number: number, roll: Roll): string {
  return names === athletes && number % 4 === 0 ? runs[roll(runs.length)]! : ''
}

const runs = ['Gold /50', 'Gold /10', 'Gold /99']

/** Each makes another card. By the label's words: how partners write them. */
const variants: Readonly<Record<string, string>> = {
  '1st Edition': '1st Edition|1st Ed|1st Ed.|First Edition|(1st Edition)|1st Edition Shadowless',
  Shadowless: 'Shadowless|SHADOWLESS|(Shadowless)',
  'Reverse Holo': 'Reverse Holo|Rev Holo|Rev. Foil|Reverse',
  Refractor: 'Refractor|Ref|Refractors',
  'Prizms Silver': 'Silver Prizm|Silver|Prizms Silver|Silver Prizms',
  'Gold Refractor': 'Gold Refractor|Gold Ref|Gold Refractors',
  Autograph: 'Autograph|Auto|Autographed|Signed|Signature',
  Error: 'Error|Misprint|(Error)',
}

function variantOf({ name, names }: Series, roll: Roll): string {
  const modern = name.includes('Prizm')
    ? 'Prizms Silver'
    : name.includes('Chrome')
      ? 'Gold Refractor'
      : 'Refractor'
  const ofAthletes = [modern, modern, 'Autograph', 'Error']
  const others = [names === pokemon ? 'Shadowless' : 'Error', 'Reverse Holo', '1st Edition', 'Error']
  return (names === athletes ? ofAthletes : others)[roll(4)]!
}

function twins(card: Card, roll: Roll): Card[] {
  const number = 1 + ((card.number + 23 + roll(40)) % card.series.total)
  const language = card.language === 'Japanese' ? 'German' : 'Japanese'
  const reprint = { ...card.series, year: card.series.year + 1 }
  return [
    { ...card, grade: gradeFrom(card.grader, roll) },
    // The same name under another number, as for a full-art card.
    { ...card, number, run: runOf(card.series, number, roll) },
    { ...card, series: reprint },
    card.series.names === pokemon ? { ...card, language } : { ...card, grader: 'PSA', grade: '8 OC' },
    { ...card, variant: card.variant ? '' : variantOf(card.series, roll) },
    ...(card.run ? [{ ...card, run: 'Gold /25' }] : []),
    ...otherSets(card.series).map((series) => ({ ...card, series })),
    ...(card.series.code ? [{ ...card, series: relative(card.series) }] : []),
  ]
}

/** The same card in a set of its year that only its name tells, as Jungle and Fossil. */
function otherSets({ name, year }: Series): Series[] {
  const pair = [`Pokemon Jungle`, 'Pokemon Fossil']
  return serieses.filter(
    (each) => pair.includes(name) && pair.includes(each.name) && each.name !== name && each.year === year,
  )
}

/** The series of the same name with other letters in its numbers, as BP and BCP, or itself. */
function relative({ name, code, year }: Series): Series {
  const named = serieses.filter((each) => each.name === name)
  return { ...(named.find((each) => each.code !== code) ?? named[0]!), year }
}

function identityOf({ series, number, grader, grade, language, run, variant }: Card): string {
  return [series.name, series.code, series.year, number, grader, grade, language, run, variant].join('|')
}

/** Each number of a set has one name. */
function nameOf({ names, name }: Series, number: number): string {
  const letters = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
  return names[(number * 7 + letters) % names.length]!
}

function gradeFrom(name: string, roll: Roll): string {
  const grader = graders.find((one) => one.name === name)!
  const grades = [...grader.grades, ...(grader.tens ?? [])]
  const grade = grades[roll(grades.length)]!
  const qualifier = grader.qualifiers && roll(8) === 0 ? ` ${grader.qualifiers[roll(3)]}` : ''
  return gradeOn(grader, grade + qualifier) ?? grade
}

function numberOf({ series, number }: Card, roll: Roll): string {
  const padded = String(number).padStart(3, '0')
  if (series.code?.endsWith('P') && series.style === 'code' && series.code !== 'P')
    return `${series.code}-${number}`
  if (series.code?.startsWith('BT')) return `${series.code}/${padded}EN`
  if (series.style === 'promo') return `${series.code}${series.code === 'TG' ? number : padded}`
  if (series.style === 'code') return `${series.code}-${padded}`
  if (series.style === 'hash') return `#${number}`
  return [`${number}/${series.total}`, `${padded}/${series.total}`, `#${number}`, `No. ${padded}`][roll(4)]!
}

/** A set, a shirt, and copies of a print run: no numbers of these cards. */
const unclearNumbers = ['Finest 450', 'Jersey 423', '445/499', '401 of 999']

/** The partner's words, without the card's number if `isBrief`. */
function described(card: Card, isBrief: boolean, roll: Roll): string {
  const { series, name, run } = card
  const aside =
    roll(8) === 0
      ? ['pop 350', '$450', 'Lot of 2', series.style === 'fraction' ? 'SV3' : '120 HP'][roll(4)]!
      : ''
  // `Ace 8 CGC` would be a grade of ACE.
  const grades = gradesSpelt(card).filter((text) => !name.endsWith(' Ace') || !/^\d/.test(text))
  const graded = grades[roll(2) && roll(grades.length)]!
  const language = roll(2) ? card.language : (codes[card.language]?.split(' ')[roll(2)] ?? '')
  const [from, next] = [series.year, series.year + 1].map((year) => String(year).slice(2))
  const seasons = [`${series.year}-${next}`, `${from}-${next}`, `${from}/${next}`]
  const year = roll(3) === 0 && series.style === 'hash' ? seasons[roll(3)] : series.year
  const short = roll(2) ? year : `'${from}`
  // As some exports join their columns.
  const number = isBrief ? '' : numberOf(card, roll)
  const bare = !isBrief && !series.code && roll(3) === 0 ? String(card.number) : spelt(number, series, roll)
  const spellings = variants[card.variant]?.split('|') ?? ['']
  const variant = spellings[roll(spellings.length)]!
  const team =
    roll(9) === 0 && series.names === athletes
      ? ['Green Bay Packers', 'White Sox', 'Blue Jays'][roll(3)]!
      : ''
  const forms = [
    [year, series.name, language, name, variant, team, run, bare, graded],
    [name, variant, run, '-', series.name, language, number, `(${year})`, graded],
    [short, name, variant, run, bare, series.name, language, graded],
    [graded, name, variant, run, number, year, series.name, language],
    [series.name, year, number, name, variant, run, language, '/', graded],
    [
      series.name,
      year,
      team,
      variant,
      name,
      run,
      language,
      graded,
      /^[#\d]/.test(number) ? number : `#${number}`,
    ],
    [year, series.name, language, name, variant, run, `${bare}${'-/'[roll(2)]}${graded}`],
  ]
  const isApart = graded.startsWith(card.grader) && bare !== ''
  return [...forms[roll(isBrief ? 5 : isApart ? 7 : 6)]!, aside].filter((part) => part !== '').join(' ')
}

const codes: Readonly<Record<string, string>> = {
  Japanese: 'JP JPN',
  German: 'DE GER',
  French: 'FR FRA',
  Italian: 'ITA Italiano',
  Korean: 'KR KOR',
}

/** Another series of the same name has these numbers too, so that only their letters tell. */
function isOneOfTwo(code: string | undefined): boolean {
  return code === 'SV' || code === 'SMA'
}

/** As partners spell a number with letters. */
function spelt(number: string, { code, style }: Series, roll: Roll): string {
  if (number === '' || code === undefined || roll(2)) return number
  if (code === 'LOB' || code === 'MRD') return number.replace('-', roll(2) ? '-EN' : '-E')
  if (code.startsWith('OP')) return number.replace('-', '')
  if (code.startsWith('BT')) return number.replace('EN', '')
  if (code === 'BCP' || code === 'BP') return roll(2) ? number.replace('-', '') : `#${number}`
  return style === 'promo' && !isOneOfTwo(code) && roll(2)
    ? number.replace(code, `${code} `)
    : number.toLowerCase()
}

/** As partners spell a grade. */
function gradesSpelt({ grader, grade }: Card): string[] {
  const [points = '', ...marks] = grade.split(' ')
  const mark = marks.join(' ')
  const title = mark.charAt(0) + mark.slice(1).toLowerCase()
  if (grade === 'A') return [`${grader} Authentic`, `Auth ${grader}`]
  if (grade === 'AA') return [`${grader} Authentic Altered`, `${grader} Altered`]
  if (mark.length > 2)
    return [`${grader} ${mark} 10`, `${grader} 10 ${title}`, `${grader} 10 - ${title}`, `${grader} ${title}`]
  if (mark) {
    const spelt = `${grader} ${grade}`
    return [`${grader} ${points} (${mark})`, ...(mark === 'OF' ? [] : [spelt, spelt.toLowerCase()])]
  }
  const ten = [
    `Graded 10 by ${grader}`,
    `Gem 10 ${grader}`,
    `${grader} #10`,
    `${grader} GEM MT 10`,
    `10 ${grader}`,
  ]
  return [
    `${grader} ${points}`,
    `${grader === 'PSA' ? 'P.S.A.' : grader} (${points})`,
    `${grader}/${points}`,
    `${grader} Grade: ${points}`,
    ...(Number(points) > 10 ? [`${grader} ${points} 7`] : [`${points} ${grader}`]),
    ...(points.endsWith('.5') ? [`${grader} ${points.replace('.', ',')}`] : []),
    ...(points === '8' ? [`${grader} NM/MT 8`] : []),
    ...(points === '9' ? [`${points} (${grader})`, `${points} - ${grader}`] : []),
    ...(points === '10' ? ten : []),
  ]
}

/** The label's words, in fields. */
function labelled(card: Card, roll: Roll): ArrivingItem {
  const { series, number, grader, grade, language } = card
  const name = [card.name, card.variant, card.run].filter((part) => part !== '').join(' ')
  const set = [series.year, series.name, language].filter((part) => part !== '').join(' ')
  const cardNumber = {
    code: numberOf(card, roll),
    hash: String(number),
    promo:
      isOneOfTwo(series.code) || roll(3)
        ? numberOf(card, roll)
        : String(number).padStart(series.code === 'TG' ? 2 : 3, '0'),
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
