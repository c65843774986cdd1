import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ArrivingItem, derivedFlags, matchLine } from '../../src/domain/manifests/matching.ts'
import { lineByRule } from '../support/line-rule.ts'

type Card = Readonly<
  Record<'year' | 'set' | 'number' | 'subject' | 'variant' | 'language' | 'grader' | 'grade', string>
>

/** In each row, any two values of a fact make two cards. */
const kinds = [
  {
    set: ['Pokemon Jungle', 'Pokemon Fossil', 'Pokemon Team Rocket'],
    number: ['4/64', '14/64', '40/64', '41/64'],
    subject: ['Charizard', 'Mewtwo', 'Mew', 'Dark Raichu', "Blaine's Moltres"],
    variant: ['', '1st Edition', 'Reverse Holo', 'Error'],
    language: ['', 'Japanese', 'German', 'Simplified Chinese'],
  },
  {
    set: ['One Piece Romance Dawn', 'One Piece Paramount War'],
    number: ['OP01-012', 'OP01-120', 'OP02-012', 'OP02-021'],
    subject: ['Monkey D. Luffy', 'Roronoa Zoro', 'Shanks'],
    variant: [''],
    language: ['', 'Japanese'],
  },
  {
    set: ['Panini Prizm', 'Bowman Chrome', 'Upper Deck Series'],
    number: ['#7', '#57', '#75', '#157'],
    subject: ['Ken Griffey Jr.', 'Ken Griffey Sr.', 'Luka Dončić', 'Elly De La Cruz', 'LeBron James'],
    variant: ['', 'Silver', 'Gold Refractor', 'Refractor', 'X-Fractor', 'Autograph'],
    language: [''],
  },
]
const grades = {
  PSA: ['10', '9', '9 OC', '9 MC', '8.5', 'A'],
  CGC: ['10 PRISTINE', '10', '9.5'],
  BGS: ['10 BLACK LABEL', '10', '9.5'],
}

const anyOf = (values: readonly string[]) => fc.constantFrom(...values)
const cardOf = (kind: (typeof kinds)[number], [grader, marks]: [string, string[]]): fc.Arbitrary<Card> =>
  fc.record({
    year: anyOf(['1999', '2003', '2018']),
    set: anyOf(kind.set),
    number: anyOf(kind.number),
    subject: anyOf(kind.subject),
    variant: anyOf(kind.variant),
    language: anyOf(kind.language),
    grader: fc.constant(grader),
    grade: anyOf(marks),
  })
const facts = ['year', 'set', 'number', 'subject', 'variant', 'language', 'grade'] as const

const twoCards = fc
  .tuple(fc.constantFrom(...kinds), fc.constantFrom(...Object.entries(grades)), fc.constantFrom(...facts))
  .chain(([kind, graded, fact]) =>
    fc.tuple(cardOf(kind, graded), cardOf(kind, graded)).map(([card, other]) => ({ card, other, fact })),
  )
  .filter(({ card, other, fact }) => card[fact] !== other[fact])
  .map(({ card, other, fact }) => [card, { ...card, [fact]: other[fact] }] as const)

const orders = [
  ['year', 'set', 'language', 'subject', 'variant', 'number', 'grade'],
  ['year', 'set', 'language', 'number', 'subject', 'variant', 'grade'],
  ['grade', 'year', 'set', 'subject', 'variant', 'number', 'language'],
  ['year', 'language', 'set', 'variant', 'number', 'subject', 'grade'],
] as const

const spellings: ReadonlyArray<(text: string) => string> = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, ''),
  (text) => text.replace('Pokemon', 'Pokémon').normalize('NFD'),
  (text) => text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  (text) => text.replace('Pokemon', 'PKM'),
  (text) => text.replace('Autograph', 'Auto').replace('Refractor', 'Ref'),
  (text) => text.replace('Reverse Holo', 'RH').replace('1st Edition', '1ED'),
  (text) => text.replace('Japanese', 'JPN').replace('German', 'DE'),
  (text) => text.replace('#', '\u2116'),
  (text) => text.replace(/\b(\d+)\/64/, '0$1/064'),
  (text) => text.replace(/OP(\d\d)-/, 'OP$1'),
  (text) => text.replace(/ (OC|MC)\b/, ' ($1)'),
  (text) => text.replace(/ (OC|MC)\b/, ', $1'),
  (text) => text.replace(/10 PRISTINE/, 'Pristine 10').replace('10 BLACK LABEL', '10 BL'),
  (text) => text.replace(/\b(19|20)(?=\d\d )/, "'"),
]

type Writing = { order: readonly string[]; spelt: (text: string) => string }
const anyWriting: fc.Arbitrary<Writing> = fc.record({
  order: fc.constantFrom(...orders),
  spelt: fc.constantFrom(...spellings),
})
const plain: Writing = { order: orders[0], spelt: (text) => text }

function described(card: Card, { order, spelt }: Writing) {
  const grade = `${card.grader} ${card.grade === 'A' ? 'Authentic' : card.grade}`
  const parts = { ...card, grade } as Record<string, string>
  return {
    description: spelt(order.flatMap((part) => parts[part] || []).join(' ')),
    grader: null,
    cert_number: null,
    sku: null,
  }
}

/** As the fields of a label, or as its lines in one text. */
function labelled(card: Card, isOneText: boolean): ArrivingItem {
  const set = [card.year, card.set, card.language].filter(Boolean).join(' ')
  const name = [card.subject, card.variant].filter(Boolean).join(' ')
  const number = card.number.replace(/^#|\/64$/g, '')
  const fields = isOneText
    ? { name: `${set} ${name} #${number}`.toUpperCase(), set: null, card_number: null }
    : { name, set, card_number: number }
  const { grader, grade } = card
  return { type: 'graded_slab', sku: '', grader, grade, cert_number: '12345678', ...fields }
}

const runs = { numRuns: 1500 }
const isClean = (item: ArrivingItem, line: ReturnType<typeof described>) =>
  matchLine(item, line) !== null && derivedFlags(item, line).length === 0

test('a slab never matches clean to the line of a card that differs in one fact', () => {
  fc.assert(
    fc.property(twoCards, anyWriting, fc.boolean(), ([card, twin], writing, isOneText) => {
      expect(isClean(labelled(card, isOneText), described(twin, writing))).toBe(false)
    }),
    runs,
  )
})

test('a slab matches clean to its own line in every usual spelling', () => {
  fc.assert(
    fc.property(twoCards, anyWriting, fc.boolean(), ([card], writing, isOneText) => {
      expect(isClean(labelled(card, isOneText), described(card, writing))).toBe(true)
    }),
    runs,
  )
})

test('of two lines that differ in one fact, a slab matches its own in either order', () => {
  fc.assert(
    fc.property(twoCards, fc.boolean(), (cards, isOneText) => {
      const lines = cards.map((card) => described(card, plain))
      for (const [at, card] of cards.entries())
        for (const among of [lines, [...lines].reverse()])
          expect(lineByRule(labelled(card, isOneText), among)?.line).toBe(lines[at])
    }),
    runs,
  )
})
