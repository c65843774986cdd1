import { describe, expect, test } from 'vitest'
import { readGrade } from '../../src/domain/graders/grade-in-text.ts'
import { cardFacts } from '../../src/domain/manifests/card-facts.ts'
import { derivedFlags, matchLine } from '../../src/domain/manifests/matching.ts'

/** As a line named by its description alone is matched: `none` for no match, or its flags. */
function result(
  label: [name: string, set: string, number: string, grade: string, grader?: string],
  description: string,
) {
  const [name, set, card_number, grade, grader = 'PSA'] = label
  const slab = { type: 'graded_slab', sku: '', grader, cert_number: '12345678' } as const
  const item = { ...slab, name, set, card_number, grade }
  const line = { description, grader: null, cert_number: null, sku: null }
  return matchLine(item, line) ? derivedFlags(item, line).join() : 'none'
}

describe('a 6 that arrives for a 10 is flagged, however the 10 is spelt', () => {
  test.each([
    'PSA \u2013 10',
    'PSA \u2014 10',
    '\uff30\uff33\uff21\uff11\uff10',
    'PSA\uff11\uff10',
    '(10) PSA',
    '[10] PSA',
    'PSA "10"',
    'PSA \u201c10\u201d',
    "PSA '10'",
    'PSA *10*',
    'PSA | 10',
    'PSA;10',
    'PSA_10',
    '10 Gem Mint PSA',
    '10.0 PSA',
    'PSA Gem Mt. 10',
    'PSA GEM MT10',
    'PSA "Gem Mint" 10',
    '10/10 PSA',
    '10PSA',
    'GEM10 PSA',
    'PSA10GEM',
    'PSA 10GEM',
  ])('%s', (grade) => {
    for (const text of [
      `Base Set Unlimited Charizard Holo #4 ${grade}`,
      `${grade} Base Set Unlimited Charizard Holo #4`,
    ]) {
      expect(result(['Charizard Holo', 'Base Set Unlimited', '4', '6'], text)).toBe('grade_mismatch')
      expect(result(['Charizard Holo', 'Base Set Unlimited', '4', '10'], text)).toBe('')
    }
  })
})

test.each(["Charizard SGC '96 Topps", 'Charizard SGC $10', 'Charizard PSA EX1-001'])(
  '"%s" names no grade',
  (text) => {
    expect(readGrade(text).grade).toBeUndefined()
  },
)

test.each([
  ['1999 Pokemon Jungle', '1999 Pokemon Fossil Luffy Holo', 'label_mismatch'],
  ['1999 Pokemon Jungle', 'Luffy Holo 1999 Pokemon Fossil', 'label_mismatch'],
  ['1999 Pokemon Jungle', '1999 Pokemon Luffy Holo Rare', ''],
  ['2017 Panini Prizm', '2017 Prizm Luffy Holo Rookie', ''],
  ['2005-06 Fleer', '2005 Ultra Luffy Holo', 'label_mismatch'],
  ['2005-06 Upper Deck', 'Kaido #4 2005 Upper Deck Holo', 'label_mismatch'],
  ['2005-06 Upper Deck', 'Holo Luffy #4 2005 Upper Deck', ''],
  ['2003 Topps Chrome Refractor', '2003 Topps Chrome Ref Luffy Holo Rookie', ''],
  ['2003 Topps Chrome Gold Refractor', '2003 Topps Chrome Gold Refractor Monkey Garp', 'label_mismatch'],
])('the name Luffy Holo of %s next to "%s": %j', (set, text, expected) => {
  expect(result(['Luffy Holo', set, '4', '10'], `${text} #4 PSA 10`)).toBe(expected)
})

test.each(['PSA Ten', 'PSA Gem Mint', 'PSA Certified 10', 'PSA grade of 10', 'GMA 6'])(
  'a 6 of PSA that arrives for "%s" is flagged',
  (grade) => {
    expect(result(['Luffy Holo', 'Base Unlimited', '4', '6'], `Base Unlimited Luffy Holo #4 ${grade}`)).toBe(
      'label_mismatch',
    )
  },
)

test.each([
  ['KSA', '9.5', 'KSA 9', 'grade_mismatch'],
  ['KSA', '9.5', 'KSA 10', 'grade_mismatch'],
  ['KSA', '9,5', 'KSA 9.5', ''],
  ['K.S.A.', '9.5', 'KSA Mint+ 9.5', ''],
  ['K.S.A.', '10', 'KSA Gem Mint 9', 'grade_mismatch'],
  ['KSA Grading', '9', 'ksa9', ''],
  ['KSA', '9', 'KSA', ''],
])('a slab of the unknown grader %s with grade %s next to "%s": %j', (grader, grade, text, expected) => {
  expect(
    result(
      ['Connor McDavid', '2015 Upper Deck', '201', grade, grader],
      `2015 Upper Deck Connor McDavid #201 ${text}`,
    ),
  ).toBe(expected)
})

test.each([
  ['Mew', 'Promo', 'Mewtwo', 'label_mismatch'],
  ['Kabutops', 'Fossil', 'Kabuto', 'label_mismatch'],
  ['Abra', 'Base Set Unlimited', 'Kadabra', 'label_mismatch'],
  ['Charizard V', 'Evolving Skies', 'Charizard GX', 'label_mismatch'],
  ['Charizard VMAX', 'Evolving Skies', 'Charizard V', 'label_mismatch'],
  ['The One Ring', 'Magic The Gathering Beta', 'Mox Ruby', 'label_mismatch'],
  ['The One Ring', 'Magic The Gathering Beta', 'One Ring Rare', ''],
  ["Rocket's Scyther", 'Team Rocket', 'Charizard', 'label_mismatch'],
  ['Luka Gold', 'Panini Prizm', 'Gold Trout', 'label_mismatch'],
  ['Luka Gold', 'Panini Prizm', 'Gold Luka', ''],
  ['Ken Griffey Jr. Silver', 'Prizm', 'Ken Griffey Sr. Silver', 'label_mismatch'],
  ['Ken Griffey Jr. Silver', 'Prizm', 'Ken Griffey Junior Silver', ''],
  ['Ken Griffey Sr.', 'Series Refractor', 'Ken Griffey Jr.', 'label_mismatch'],
])('the name %s of %s next to %s, without a number: %j', (name, set, other, expected) => {
  expect(result([name, `2000 Pokemon ${set}`, '8', '10'], `2000 Pokemon ${set} ${other} PSA 10`)).toBe(
    expected,
  )
})

test.each([
  [
    '1999 Pokemon Base 1st Edition',
    [
      ...['1st Ed', '1ST ED.', '1ED', 'First_Edition', '1. Edition', '1st Edition Shadowless', '1E', '(1E)'],
      ...['1. Auflage', 'Erste Auflage', '1ère Édition', 'Première Édition', 'Édition 1', '1e Édition'],
      ...['Prima Edizione', '1ª Edición', 'Primera Edición', 'Jungle-1st Edition-Holo'],
    ],
  ],
  ['1999 Pokemon Base Shadowless', ['Shadowless', '(Shadowless)']],
  ['1999 Pokemon Base Reverse Holo', ['Rev Holo', 'REV.FOIL', 'Reverse Holofoil', 'Reverse', 'RH']],
  ['1997 Topps Chrome Refractor', ['Refractors', 'Ref', 'Ref.']],
  ['1997 Topps Chrome X-Fractor', ['Xfractor', 'X-Fractors']],
  ['2018 Panini Prizm Prizms Silver', ['Silver Prizm', 'Silver', 'Silver Prizms']],
  ['1997 Topps Chrome Autograph', ['Auto', 'Autographed', 'Signed', 'Signature']],
  ['1997 Topps Chrome Error', ['Misprint', 'Error Card']],
])('a card of %s is clean for %j alone, and for no line without', (set, spellings) => {
  const plain = set.replace(
    / (?:1st Edition|Shadowless|Reverse Holo|Refractor|X-Fractor|Prizms Silver|Autograph|Error)$/,
    '',
  )
  const next = (labelled: string, described: string) =>
    result(['Monkey Luffy', labelled, '4', '10'], `${described} Monkey Luffy #4 PSA 10`)
  for (const spelling of spellings) {
    expect([spelling, next(set, `${plain} ${spelling}`)]).toEqual([spelling, ''])
    expect([spelling, next(plain, `${plain} ${spelling}`)]).toEqual([spelling, 'label_mismatch'])
  }
  expect([next(set, plain), next(plain, plain)]).toEqual(['label_mismatch', ''])
})

test.each([
  ['1999 Pokemon Base 1st Edition', '1999 Pokemon Base Shadowless', 'label_mismatch'],
  ['1999 Pokemon Base 1st Edition', '1999 Pokemon Base Unlimited', 'label_mismatch'],
  ['1999 Pokemon Base Unlimited', '1999 Pokemon Base', ''],
  ['1997 Topps Chrome Refractor', '1997 Topps Chrome X-Fractor', 'label_mismatch'],
  ['1997 Topps Chrome Gold Refractor', '1997 Topps Chrome Refractor', 'label_mismatch'],
  ['2018 Panini Prizm', '2018 Panini Prizm White Sox', ''],
  ['2018 Panini Prizm', '2018 Panini Prizm Green Bay Packers', ''],
  ['2020 Pokemon Promo', '2020 Pokemon Black Star Promo', ''],
  ['2020 Bowman Chrome', '2020 Bowman Chrome 1st', ''],
  ['1999 Pokemon Base', '1999 Pokemon Base Limited Edition 1/50', ''],
])('a label of %s next to a line of %s: %j', (set, described, expected) => {
  expect(result(['Monkey Luffy', set, '4', '10'], `${described} Monkey Luffy #4 PSA 10`)).toBe(expected)
})

test.each([
  ['1999 Pokemon Base Unlimited', '1999 Pkmn Base Unlimited'],
  ['1999 Pokemon Base Unlimited', '1999 PKM Base Unlimited'],
  ['2003 Topps Chrome Black Refractor', '2003 Topps Chrome Blk Refractors'],
  ['2021 Pokemon Swsh Evolving Skies', '2021 Pokemon Sword & Shield Evolving Skies'],
  ['2021 Pokemon Sword and Shield Evolving Skies', '2021 Pokemon SWSH Evolving Skies'],
  ['2017 Pokemon Sun & Moon Promo', '2017 Pokemon SM Promo'],
  ['1979 O-Pee-Chee', '1979 OPC'],
  ['2020 Panini Prizm Rookie', '2020 Panini Prizm RC'],
  ['2020 Panini Prizm RC', '2020 Panini Prizm Rookies'],
  ['2003 Panini Mega Craques Gold', '2003 Panini Megacraques Gold'],
])('%s may be written as "%s"', (set, described) => {
  expect(result(['Monkey Luffy Holo', set, '4', '10'], `${described} Monkey Luffy Holo #4 PSA 10`)).toBe('')
})

test('1E is no number of a card', () => {
  const label = ['Monkey Luffy', '1999 Pokemon Base 1st Edition', '4', '10'] as const
  expect(result([...label], '1999 Pokemon Base 1E Monkey Luffy PSA 10')).toBe('')
})

test.each([
  ['CPA-AB', 'CPA-AC', 'label_mismatch'],
  ['84A-KG', '85A-KG', 'label_mismatch'],
  ['50-AA', '51-AA', 'label_mismatch'],
  ['LDK2-ENK01', 'LDK2-ENK02', 'none'],
  ['57.1', '57.2', 'label_mismatch'],
  ['57.1', '#57.2', 'none'],
  ['1HP001', '1HP002', 'none'],
  ['T87-5', 'T87-6', 'none'],
  ['T87-5', 'T88-5', 'label_mismatch'],
  ['CSV1C-001', 'CSV1C-002', 'none'],
  ['15KM-001', '15KM-002', 'none'],
  ['BLAR-EN10K', 'BLAR-EN11K', 'none'],
  ['OP-01-120', 'OP-01-121', 'none'],
  ['SVP-EN-085', 'SVP-EN-086', 'none'],
])('a label of number %s next to a line of %s: %j, and of its own: clean', (number, other, expected) => {
  const next = (described: string) =>
    result(['LeBron James', '2003 Topps Chrome', number, '10'], `2003 Topps Chrome LeBron James ${described}`)
  expect(next(other)).toBe(expected)
  expect([next(number), next(`#${number}`)]).toEqual(['', ''])
})

test.each([
  ['207/XY-P', '208/XY-P', 'none'],
  ['207/XY-P', '207/SM-P', 'none'],
  ['226/S-P', '#227/S-P', 'none'],
  ['080/SM-P', 'No. 081/SM-P', 'none'],
  ['001/SV-P', '002/SV-P', 'none'],
  ['025/M-P', '026/M-P', 'none'],
  ['207', '208/XY-P', 'none'],
  ['207', '207/XY-P', ''],
  ['7', '007/XY-P', ''],
  ['085/SV-P', 'SV-P-085', ''],
  ['085/SV-P', 'SV-P-086', 'none'],
  ['SVP085', 'SVP-EN-085', ''],
  ['OP01-120', 'OP-01-120', ''],
  ['CPA-EDC', '#PPA-EDC', 'none'],
  ['CPA-EDC', '#CPA-EDC', ''],
  ['CPA-EDC', '#24', 'label_mismatch'],
  ['100T', '101T', 'label_mismatch'],
  ['100T', '100t', ''],
  ['12A', '12B', 'label_mismatch'],
  ['86F-9', '86F-10', 'none'],
  ['86F-9', '86F-9', ''],
  ['86F-9', '87F-9', 'label_mismatch'],
  ['2-12', '2-13', 'none'],
  ['4', '5-102', 'none'],
  ['4', '4-102', ''],
  ['4', '#006 4/102', ''],
  ['4', '#006 5/102', 'none'],
])('a label of number %s next to a line of %s: %j', (number, described, expected) => {
  const text = `Pokemon Insert Promo Pikachu ${described} PSA 10`
  expect(result(['Pikachu', 'Pokemon Insert Promo', number, '10'], text)).toBe(expected)
})

test.each([
  ['One Piece OP01', '120', 'One Piece Luffy OP02-120', 'none'],
  ['One Piece OP01-Romance Dawn', '120', 'One Piece Romance Dawn Luffy OP02-120', 'none'],
  ['One Piece OP01-Romance Dawn', '120', 'One Piece Romance Dawn Luffy OP01-120', ''],
  ['2003 Topps', '111', '2004/5 Topps Luffy #111', 'none'],
  ['2003 Topps', '111', '2004 / 05 Topps Luffy #111', 'none'],
  ['2003 Topps', '111', '2003 / 04 Topps Luffy #111', ''],
  ['2003 Topps Gold /99', '111', '2003 Topps Gold Luffy #111 #d to 50', 'none'],
  ['2003 Topps Gold /99', '111', '2003 Topps Gold Luffy #111 xx/50', 'none'],
  ['2003 Topps Gold /99', '111', '2003 Topps Gold Luffy #111 xx/99', ''],
  ['Pokemon Simplified Chinese', '4', 'Pokemon Traditional Chinese Luffy #4', 'none'],
  ['Pokemon Simplified Chinese', '4', 'Pokemon Chinese Luffy #4', ''],
  ['Pokemon Base', '4', 'Pokemon Base Luffy Polish #4', 'label_mismatch'],
  ['Pokemon Base', '4', 'Pokemon Base Luffy JA #4', 'label_mismatch'],
  ['Pokemon Base', '4', 'Pokemon Base Luffy IT #4', 'label_mismatch'],
  ['Pokemon Base', '4', 'Pokemon Base Luffy NL #4', 'label_mismatch'],
  ['Pokemon Base', '4', 'Pokemon Base Luffy \u65e5\u672c #4', 'label_mismatch'],
  ['Prizm Bundesliga', '72', 'Prizm Bundesliga Luffy #72 GER', ''],
  ['Prizm World Cup', '80', 'Prizm World Cup Luffy FRA #80', ''],
  ['Prizm World Cup', '80', 'Prizm World Cup Luffy ESP #80', ''],
  ['Prizm World Cup', '80', 'Prizm World Cup Luffy Japan #80', ''],
  ['Pokemon German Base', '4', 'Pokemon Base GER Luffy #4', ''],
  ['Pokemon German Base', '4', 'Pokemon Base FRA Luffy #4', 'label_mismatch'],
  ['Topps Chrome De La Cruz', '10', 'Topps Chrome Cruz Luffy #10', ''],
])('a label of %s, number %s, next to "%s": %j', (set, number, description, expected) => {
  expect(result(['Luffy', set, number, '10'], `${description} PSA 10`)).toBe(expected)
})

test.each([
  ['Luffy #4 8PSA', '8'],
  ['Luffy #4 9.5BGS', '9.5'],
  ['PSA 9 MC Hammer', '9'],
  ['PSA 9 St Louis', '9'],
  ['PSA 9 PD Error', '9'],
  ['PSA 9 MC', '9 MC'],
  ['PSA 9 MC #5', '9 MC'],
  ['PSA 9 (MC) Hammer', '9 MC'],
  ['PSA 9 OC Charizard', '9 OC'],
  ['PSA 9 MC OP01-120', '9 MC'],
  ['PSA 9 MC CPA-AB', '9'],
  ['PSA 9, ST', '9 ST'],
  ['PSA 9, St Louis', '9'],
  ['PSA 9OC Charizard', '9 OC'],
  ['PSA9MC', '9 MC'],
  ['PSA 9/OC', '9 OC'],
  ['PSA 1st Edition', undefined],
  ['PSA 9/102', undefined],
  ['PSA DNA 10', '10'],
  ['PSA GM 10', '10'],
  ['BGS BL 10', '10 BLACK LABEL'],
  ['BGS 10 BL', '10 BLACK LABEL'],
  ['Black Label BGS 10', '10 BLACK LABEL'],
  ['Charizard CGC 10 Prist.', '10 PRISTINE'],
  ['SGC 10 PRI', '10 PRISTINE'],
  ['Mr. Perfect CGC 10', '10'],
])('the grade of "%s" is %s', (text, grade) => {
  expect(readGrade(text).grade?.grade).toBe(grade)
})

test.each(['60', '5'])('`SGC 60/5` is a slab of grade %s', (grade) => {
  const item = { type: 'graded_slab', name: 'Mantle', sku: '', grader: 'SGC', grade } as const
  const arrived = { ...item, cert_number: '1234567', set: null, card_number: null }
  const flags = (description: string) =>
    derivedFlags(arrived, { description, grader: null, cert_number: null, sku: null })
  expect([flags('Mantle SGC 60/5'), flags('Mantle SGC 60 5')]).toEqual([[], []])
  expect(flags('Mantle SGC 70/5.5')).toEqual(['grade_mismatch'])
})

test('a long text is read at once', () => {
  const units = [
    '1',
    'A',
    '1-',
    'A-',
    '1/',
    '1 / ',
    '86F-',
    '/XY-P',
    '#d to ',
    'x',
    '\u2014',
    '"',
    "'1",
    '| ',
    '10 Gem ',
  ]
  for (const unit of units)
    for (const start of ['', 'PSA ', '#', '1999'])
      expect(() => cardFacts(`${start}${unit.repeat(10_000)}!`)).not.toThrow()
}, 5000)
