import { describe, expect, test } from 'vitest'
import { readGrade } from '../../src/domain/graders/grade-in-text.ts'
import { slabFaults } from '../../src/domain/graders/slab-faults.ts'
import {
  type ArrivingItem,
  arrivalWords,
  type CandidateLine,
  derivedFlags,
  descriptionMatch,
} from '../../src/domain/manifests/matching.ts'
import { lineByRule } from '../support/line-rule.ts'

function slab(differing: Partial<ArrivingItem> = {}): ArrivingItem {
  return {
    type: 'graded_slab',
    name: 'Charizard Holo',
    sku: 'GS-PSA-10-ABCD1234',
    grader: 'PSA',
    grade: '10',
    cert_number: '12345678',
    set: 'Pokemon Base Set',
    card_number: '4/102',
    ...differing,
  }
}

function product(differing: Partial<ArrivingItem> = {}): ArrivingItem {
  const none = { grader: null, grade: null, cert_number: null, set: null, card_number: null }
  return { type: 'product', name: 'Surging Sparks Booster Box', sku: 'BOX-SSP', ...none, ...differing }
}

function line(differing: Partial<CandidateLine> = {}): CandidateLine {
  return { description: 'a line', grader: null, cert_number: null, sku: null, ...differing }
}

function choose(item: ArrivingItem, ...lines: CandidateLine[]) {
  return lineByRule(item, lines)
}

describe('matching by certificate (decisions 6)', () => {
  test.each(['12345678', '1234 5678', '1234-5678', ' 12345678 '])(
    '%j is the same certificate',
    (cert_number) => {
      const only = line({ cert_number, grader: 'psa' })
      expect(choose(slab(), only)).toEqual({ line: only, key: 'cert_number', score: 1 })
    },
  )

  test('case and leading zeros do not matter', () => {
    expect(choose(slab({ cert_number: 'ab12' }), line({ cert_number: 'AB-12' }))?.key).toBe('cert_number')
    expect(choose(slab({ cert_number: '0123' }), line({ cert_number: '123' }))?.key).toBe('cert_number')
  })

  test('another grader is another certificate, unless one side names none', () => {
    expect(choose(slab(), line({ cert_number: '12345678', grader: 'BGS' }))).toBeNull()
    expect(choose(slab(), line({ cert_number: '12345678' }))?.key).toBe('cert_number')
    expect(choose(slab({ grader: null }), line({ cert_number: '12345678', grader: 'BGS' }))?.key).toBe(
      'cert_number',
    )
  })

  test('a certificate of nothing but dashes counts as missing', () => {
    expect(choose(slab({ cert_number: '--' }), line({ cert_number: '-' }))).toBeNull()
    expect(choose(product(), line({ cert_number: '12345678' }))).toBeNull()
  })

  test('the first line wins, and a certificate wins over SKU and description in any order', () => {
    const item = product({ cert_number: '7', name: 'Lot of sleeves' })
    const described = line({ description: 'Lot of sleeves' })
    const bySku = line({ sku: 'BOX-SSP' })
    const certs = [line({ cert_number: '7' }), line({ cert_number: '7', description: 'younger' })]
    expect(choose(item, described, bySku, ...certs)?.line).toBe(certs[0])
    expect(choose(item, described, bySku)?.line).toBe(bySku)
    expect(choose(item, described)?.line).toBe(described)
  })
})

describe('matching by SKU (decisions 6)', () => {
  test('a product matches the first line of exactly its SKU', () => {
    const lines = [line({ sku: 'box-ssp' }), line({ sku: 'BOX-SSP' }), line({ sku: 'BOX-SSP' })]
    expect(choose(product(), ...lines)).toEqual({ line: lines[1], key: 'sku', score: 1 })
    expect(choose(product(), ...lines)?.line).toBe(lines[1])
  })

  test('a slab never matches by SKU', () => {
    expect(choose(slab({ sku: 'BOX-SSP' }), line({ sku: 'BOX-SSP' }))).toBeNull()
  })
})

describe('matching by description (decisions 6)', () => {
  test.each([
    ['Charizard Holo', 1],
    ['1999 Pokémon Base Set Charizard-Holo #4', 0.8571], // against name, set and number
    ['Pokemon Base Set Charizard Holo 4/102 PSA 10', 1],
    ['Charizard', null],
    ['Blastoise Holo Pokemon Jungle 2/102 PSA 10', null],
    ['★', null],
  ])('%j scores %s', (description, score) => {
    const match = choose(slab(), line({ description }))
    expect(match).toEqual(score === null ? null : { line: line({ description }), key: 'description', score })
  })

  test('three of four shared words are just enough', () => {
    const item = product({ name: 'red blue green white' })
    expect(choose(item, line({ description: 'red blue green black' }))?.score).toBe(0.75)
    expect(choose(item, line({ description: 'red blue green black grey' }))).toBeNull()
  })

  test('lines with a certificate or SKU are not compared', () => {
    const description = 'Charizard Holo'
    expect(
      choose(slab(), line({ description, cert_number: '999' }), line({ description, sku: 'X' })),
    ).toBeNull()
    expect(choose(slab(), line({ description, grader: 'PSA' }))?.key).toBe('description')
  })

  test('the best score wins, and of equal scores the oldest line', () => {
    const close = line({ description: 'Pokemon Base Set Charizard Holo 4/102 PSA 9' })
    const exact = line({ description: 'Pokemon Base Set Charizard Holo 4/102 PSA 10' })
    const younger = line({ description: 'PSA 10 Pokemon Base Set Charizard Holo 4/102' })
    expect(choose(slab(), close, exact, younger)?.line).toBe(exact)
    const authentic = line({ description: 'Pokemon Base Set Charizard Holo 4/102 PSA Authentic' })
    expect(choose(slab({ grade: 'A' }), close, authentic)?.line).toBe(authentic)
  })

  test('an item is read by name, then with set and number, then with grader and grade', () => {
    const card = ['charizard', 'holo', 'pokemon', 'base', 'set', '4', '102']
    expect(arrivalWords(slab())).toEqual([['charizard', 'holo'], card, [...card, 'psa', '10']])
    expect(arrivalWords(slab({ name: '★' }))[0]).toEqual(['pokemon', 'base', 'set', '4', '102'])
    expect(arrivalWords(product())).toEqual([['surging', 'sparks', 'booster', 'box']])
    expect(arrivalWords(slab({ name: 'Charizard PSA 10', set: null, card_number: null }))).toHaveLength(1)
  })
})

describe('flags derived from the matched line (2.6, 3.2)', () => {
  test.each([
    ['the certificate agrees', slab(), line({ cert_number: '1234-5678', grader: 'psa' }), []],
    ['nothing to compare', slab(), line(), []],
    ['a product, and a line that says nothing of a slab', product(), line(), []],
    ['the grader agrees', slab(), line({ grader: 'psa' }), []],
    ['another grader', slab(), line({ grader: 'BGS' }), ['label_mismatch']],
    ['a product in place of a slab', product(), line({ grader: 'BGS' }), ['wrong_item']],
    [
      'a product without the certificate that its line names',
      product(),
      line({ sku: 'BOX-SSP', cert_number: '1' }),
      ['cert_mismatch'],
    ],
    ['another certificate', slab(), line({ cert_number: '999' }), ['cert_mismatch']],
    [
      'the certificate of another grader',
      slab(),
      line({ cert_number: '12345678', grader: 'CGC' }),
      ['cert_mismatch'],
    ],
  ] as Array<[string, ArrivingItem, CandidateLine, string[]]>)('%s', (_, item, matched, flags) => {
    expect(derivedFlags(item, { ...matched, description: item.name })).toEqual(flags)
  })
})

test.each([
  ['CGC', 'Gem Mint 10', 'Charizard CGC Pristine 10', ['grade_mismatch']],
  ['SGC', '10', 'Charizard SGC 10 PRI', ['grade_mismatch']],
  ['SGC', '10 PRI', 'Charizard SGC Pristine 10', []],
  ['PSA', '9', 'Charizard PSA 9, MC', ['grade_mismatch']],
  ['PSA', '9 MC', 'Charizard PSA 9, MC', []],
  ['CGC', 'Pristine 10', 'Charizard CGC 10 Pristine', []],
  ['CGC', 'Pristine 10', 'Charizard Pristine 10', []],
  ['CGC', '10', 'Charizard CGC Gem Mint 10', []],
  ['BGS', '10', 'Charizard BGS Black Label 10', ['grade_mismatch']],
  ['BGS', '10', 'Charizard BGS 10 Black Label', ['grade_mismatch']],
  ['BGS', 'Black Label 10', 'Charizard BGS Black Label 10', []],
  ['BGS', '10', 'Charizard BGS Pristine 10', []],
  ['BGS', '9.5', 'Charizard BGS Black Label', ['grade_mismatch']],
  ['BGS', '9.5', 'Charizard BGS 9,5', []],
  ['BGS', '9', 'Charizard BGS 9,5', ['grade_mismatch']],
  ['CGC', 'Pristine 10', 'Charizard CGC 10 - Pristine', []],
  ['CGC', '10', 'Charizard CGC 10 - Pristine', ['grade_mismatch']],
  ['CGC', 'Pristine 10', 'Charizard Gem 10 CGC', ['grade_mismatch']],
  ['PSA', '10', 'Charizard PSA Altered', ['grade_mismatch']],
  ['PSA', '10', 'Charizard PSA 10 OC 4/102', ['grade_mismatch']],
  ['PSA', '8', 'Charizard psa 8 oc', ['grade_mismatch']],
  ['PSA', '8', 'PSA 8 OC Charizard', ['grade_mismatch']],
  ['PSA', '8', 'Charizard PSA 8 St. Louis', []],
  ['PSA', '10', 'Charizard NM/MT 8', ['grade_mismatch']],
  ['PSA', '8', 'Charizard 8 PSA', []],
  ['PSA', '10', 'Charizard 8 PSA', ['label_mismatch']],
  ['CGC', '8', 'Charizard 8 PSA', ['label_mismatch']],
  ['PSA', '10', 'Charizard 4 PSA', []],
  ['SGC', '60', 'Charizard SGC 60 5', []],
  ['SGC', '80', 'Charizard SGC (60)', ['grade_mismatch']],
])('%s %s for "%s" is flagged %j', (grader, grade, description, flags) => {
  expect(derivedFlags(slab({ name: 'Charizard', grader, grade }), line({ description }))).toEqual(flags)
})

test.each([
  ['Aaron Judge', 'Bowman Prospects', 'BCP-24', 'Bowman Prospects Aaron Judge BCP-25 PSA 10'],
  ['Aaron Judge', 'Bowman Prospects', 'BCP-101', 'Bowman Prospects Aaron Judge BCP100 PSA 10'],
  ['Hidden Treasure Mew', 'Hidden', 'HMT32', 'Hidden Hidden Treasure Mew HMT1 PSA 10'],
  ['Charizard', 'Base Set', '12', 'Base Set Charizard #11 PSA 10'],
  ['Pikachu', 'Promo', 'SWSH039', 'Promo Pikachu swsh020 PSA 10'],
  ['Pikachu', 'Promo', 'SV50', 'Promo Pikachu sv49 PSA 10'],
  ['Luffy', 'Promo', 'P-002', 'Promo Luffy P-001 PSA 10'],
  ['Luffy', 'Promo', 'OP01-121', 'Promo Luffy op01-120 PSA 10'],
  ['Luka Doncic', '2019-20 Prizm', '75', '18-19 Prizm Luka Doncic PSA 10'],
  ['Arceus', 'Platinum Arceus', '46/99', 'Platinum Arceus Arceus 45/99 PSA 10'],
  ['Luffy', 'Romance Dawn', 'OP01-026', 'Romance Dawn Luffy OP01025 PSA 10'],
  ['Blaster Blade', 'Descent', 'BT01/007EN', 'Descent Blaster Blade BT01/008EN PSA 10'],
  ['Luka Doncic Gold /50', 'Prizm', '280', 'Prizm Luka Doncic Gold /99 PSA 10'],
  ['Luka Doncic Gold 12/50', 'Prizm', '280', "Prizm Luka Doncic Gold #'d/99 PSA 10"],
  ['Pikachu', 'German Promo', '20', 'Promo Pikachu JP PSA 10'],
])('%s of %s, number %s, is not "%s"', (name, set, card_number, description) => {
  const item = slab({ name, set, card_number })
  expect(choose(item, line({ description }))).toBeNull()
})

test.each([
  ['Charizard ex', '151', '199', 'Charizard ex Pokemon 151 PSA 10'],
  ['Charizard ex', 'Pokemon MEW EN-151', '199', 'Pokemon MEW 151 Charizard ex PSA 10'],
  ['Mewtwo', 'Base Set 2', '10', 'Mewtwo Base Set 2 PSA 10'],
  ['Jude Bellingham', 'Topps FIFA 22', '77/200', 'Jude Bellingham FIFA 22 PSA 10'],
  ['Jude Bellingham', 'Topps FIFA 22', '77/200', 'Topps FIFA 22 Jude Bellingham #77'],
  ['Umbreon VMAX', 'Evolving Skies', '215/203', 'Evolving Skies Umbreon VMAX 215 PSA 10'],
  ['Charizard ex', 'Obsidian Flames', '125', 'SV3 Obsidian Flames Charizard ex PSA 10'],
  ['Luffy', 'Romance Dawn OP', 'OP01-120', 'OP01 Romance Dawn Luffy PSA 10'],
  ['Aaron Judge', 'Bowman Chrome Prospects', 'BCP24', 'Bowman Chrome Prospects Aaron Judge BCP-24 PSA 10'],
  ['Pikachu', 'Pokemon Black Star Promo', '020', 'Pokemon Black Star Promo Pikachu #SWSH020 PSA 10'],
  ['Pikachu', 'Hidden Fates Shiny Vault', '49', 'Hidden Fates Shiny Vault Pikachu SV49/SV94 PSA 10'],
  ['Exodia', 'Legend of Blue Eyes', 'LOB-EN124', 'Legend of Blue Eyes Exodia LOB-124 PSA 10'],
  ['Torchic', 'Topps US Update Series', 'US250', 'Topps US Update Series Torchic US 250 PSA 10'],
  ['Luka Doncic', '2018-19 Panini Prizm', '280', '18/19 Panini Prizm Luka Doncic PSA 10'],
  ['Michael Jordan', '1986 Fleer', '57', '1986 Fleer Michael Jordan PSA 10 pop 350'],
  ['Michael Jordan', '1986 Fleer', '57', 'Lot of 2 1986 Fleer Michael Jordan PSA 10'],
  ['Charizard Holo', 'Base Set Pokemon', '4', 'Base Set Pokemon Charizard Holo 120 HP PSA 10'],
  ['Charizard Holo', 'Base Set Pokemon', '4', 'Base Set Pokemon Charizard Holo $450 PSA 10'],
  ['Mike Trout', '2011 Bowman', '124', '2011 Bowman Mike Trout 124-PSA 10'],
  ['Luffy', 'Romance Dawn', 'OP01-026', 'Romance Dawn Luffy OP01026 PSA 10'],
  ['Blaster Blade', 'Descent', 'BT01/007EN', 'Descent Blaster Blade BT01/007 PSA 10'],
  ['Luka Doncic Gold 12/50', 'Prizm', '280', 'Prizm Luka Doncic Gold /50 PSA 10'],
  ['LeBron James', '2005 Upper Deck', '201', '05/06 Upper Deck LeBron James 201 PSA 10'],
  ['Pikachu', 'Promo', 'SWSH020', 'Pikachu SWSH 020'],
  ['Kuriboh', 'Magic Force', 'MFC-000', 'Magic Force Kuriboh MFC-E000 PSA 10'],
  ['Jordan Series 2', '1986 Fleer', '1', '1986 Fleer Series Jordan 12/50 #1 PSA 10'],
  ['Pikachu', 'Pokemon Japanese Promo', '20', 'Pokemon Promo Pikachu JPN PSA 10'],
  ['KEVIN DE BRUYNE', 'Prizm', '20', 'Prizm Kevin De Bruyne PSA 10'],
  ['2022 Pokemon Brilliant Stars Charizard VSTAR', '', '18', 'Charizard VSTAR - Brilliant Stars 2022 PSA 10'],
])('%s of %s, number %s, is "%s"', (name, set, card_number, description) => {
  const item = slab({ name, set, card_number })
  expect(choose(item, line({ description }))?.key).toBe('description')
  expect(derivedFlags(item, line({ description }))).toEqual([])
})

test.each([
  ['Umbreon VMAX', 'Evolving Skies', '215', 'Evolving Skies Umbreon VMAX 214 PSA 10'],
  ['LeBron James', 'Topps Chrome', '248', 'Topps Chrome LeBron James 249'],
  ['Charizard 11', 'Base', null, 'Base Charizard #12 PSA 10'],
  ['Mewtwo', 'Base Set', '10', 'Mewtwo Base Set 2 PSA 10'],
  ['Blastoise Holo Shadowless', 'Pokemon', '3', 'Pokemon Blastoise Holo 2 Shadowless'],
  ['Luis Robert', '2020 Topps', '392', '2020 Topps Series 2 Luis Robert PSA 10'],
  ['Michael Jordan', '1986 Fleer Bulls', '57', '1986 Fleer Bulls 23 Michael Jordan PSA 10'],
  ['Michael Jordan', '1986 Fleer', '57', '1986 Fleer Michael Jordan 8 PSA'],
  ['Pikachu', 'Promo', '039', 'Promo Pikachu SWSH030 PSA 10'],
  ['Pikachu', 'Promo', '139', 'Promo Pikachu SWSH030 PSA 10'],
  ['Pikachu', 'Promo', 'SWSH039', 'Promo Pikachu 30 PSA 10'],
  ['Pikachu', 'Promo', 'SV49', 'Promo Pikachu 151 PSA 10'],
  ['Ohtani', 'Topps Update', 'US252', 'Topps Update Ohtani US 250 PSA 10'],
  ['Ohtani', 'Topps Update', '252', 'Topps Update Ohtani US250 PSA 10'],
  ['Luka Doncic', 'Prizm Orange', '325', 'Prizm Orange Luka Doncic 45/99 PSA 10'],
  ['Luka Doncic', 'Prizm Orange', '325', 'Prizm Orange Luka Doncic 1 of 99 PSA 10'],
  ['LeBron James', '2005 Upper Deck', '201', '03/04 Upper Deck LeBron James #201 PSA 10'],
  ['Mike Trout', 'Topps Update', '1752', 'Topps Update Mike Trout 1753 PSA 10'],
  ['Mike Trout', 'Bowman', '124', 'Bowman Mike Trout 125/PSA 10'],
  ['Mike Trout', 'Bowman Chrome', 'BCP52', 'Bowman Chrome Mike Trout BP52 PSA 10'],
  ['Pikachu', 'Hidden Fates', 'SV49', 'Hidden Fates Pikachu SMA49 PSA 10'],
  ['Pikachu', 'Promo', '20', 'Promo Pikachu JP PSA 10'],
  [
    '2018 Panini Prizm Draft Picks Rookie Trae Young',
    'Panini Prizm Draft Picks',
    '78',
    'Luka Doncic 2018 Panini Prizm Draft Picks Rookie PSA 10',
  ],
  [
    '2022 Pokemon Sword & Shield Brilliant Stars Arceus',
    'Brilliant Stars',
    '123',
    'Charizard - Pokemon Sword & Shield Brilliant Stars 2022 PSA 10',
  ],
  [
    'Luka Doncic Silver',
    '2019-20 Panini Prizm NBA',
    '280',
    '18/19 Panini Prizm NBA Luka Doncic Silver PSA 10',
  ],
])('%s of %s, number %s, may be another card than "%s"', (name, set, card_number, description) => {
  const item = slab({ name, set, card_number })
  const compared = line({ description })
  expect(choose(item, compared)?.key).toBe('description')
  expect(derivedFlags(item, compared)).toContain('label_mismatch')
})

test.each([
  ['Charizard Holo 9 PSA', '9'],
  ['Charizard PSA (9)', '9'],
  ['Charizard 9 (PSA)', '9'],
  ['Charizard 9 - PSA', '9'],
  ['Charizard PSA Good 2', '2'],
  ['Charizard PSA FR 1.5', '1.5'],
  ['Charizard PSA [9]', '9'],
  ['Charizard (PSA) 9', '9'],
  ['Charizard PSA, 9', '9'],
  ['Charizard Gem 9', '9'],
  ['Charizard Grade: 9', '9'],
  ['Charizard PSA/9', '9'],
  ['Charizard PSA #10', '10'],
  ['Charizard Authentic PSA', 'A'],
  ['Charizard PSA #9', undefined],
  ['Charizard PSA/DNA', undefined],
  ['Charizard 8 PSA', undefined],
])('the grade of "%s" is %s', (description, grade) => {
  expect(readGrade(description).grade?.grade).toBe(grade)
  expect(slabFaults({ description })).toEqual([])
})

test('a score is rounded to four decimals, up and down', () => {
  expect([2 / 3, 0.83333].map((similarity) => descriptionMatch(similarity).score)).toEqual([0.6667, 0.8333])
})

test('a long text of label words is read at once', () => {
  for (const words of ['GEM ', 'Gem Mint - ', 'PSA ', '(PSA) ']) {
    const text = `${words.repeat(20_000)}99`
    expect(readGrade(text).grade).toBeUndefined()
  }
})
