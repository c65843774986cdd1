import type { Random } from './random.ts'

/** As its label names it. Nothing of the product's own rules is used. */
export type Slab = { grader: Grader; number: string }
export type Grader = keyof typeof labels

type Label = {
  names: readonly string[]
  link: (number: string) => string
  numberOf: (digits: string) => string
}

/** `numberOf`: a number of the grader's shape with these eight digits. */
const labels = {
  PSA: {
    names: ['PSA', 'P.S.A.', ' psa', 'PSA 9', 'ＰＳＡ'],
    link: (number) => `https://www.psacard.com/cert/${number}/psa`,
    numberOf: (digits) => digits,
  },
  BGS: {
    names: ['BGS', 'Beckett', 'b.g.s.', 'BGS 9'],
    link: (number) => `https://www.beckett.com/grading/card-lookup?item_type=BGS&item_id=${number}`,
    numberOf: (digits) => `00${digits}`,
  },
  CGC: {
    names: ['CGC', 'C.G.C.', 'cgc cards'],
    link: (number) => `cgccards.com/certlookup/${number}`,
    numberOf: (digits) => `40${digits}`,
  },
  SGC: {
    names: ['SGC', 's.g.c.', 'SGC Grading'],
    link: (number) => `https://gosgc.com/cert-code-lookup/${number}`,
    numberOf: (digits) => digits,
  },
  TAG: {
    names: ['TAG', 'T.A.G.', 'tag grading'],
    link: (number) => `https://my.taggrading.com/card/${number}`,
    numberOf: (digits) => `A${digits.slice(1)}`,
  },
  BVG: {
    names: ['BVG', 'b.v.g.', 'BVG 8'],
    link: (number) => `https://www.beckett.com/grading/card-lookup?item_type=BVG&item_id=${number}`,
    numberOf: (digits) => `00${digits}`,
  },
  CSG: {
    names: ['CSG', 'c.s.g.', 'CSG 9.5'],
    link: (number) => `https://www.csgcards.com/certlookup/${number}/`,
    numberOf: (digits) => `40${digits}`,
  },
  ACE: {
    names: ['ACE', 'a.c.e.', 'Ace Grading'],
    link: (number) => `https://acegrading.com/cert/${number}`,
    numberOf: (digits) => digits,
  },
  AGS: {
    names: ['AGS', 'a.g.s.', 'ags grading'],
    link: (number) => `https://agscard.com/feed/${number}/view`,
    numberOf: (digits) => digits,
  },
  BCCG: {
    names: ['BCCG', 'b.c.c.g.', 'Beckett (BCCG)', 'BCCG 9'],
    link: (number) => `https://www.beckett.com/grading/card-lookup?item_type=BCCG&item_id=${number}`,
    numberOf: (digits) => `00${digits}`,
  },
  // These two have no addresses.
  HGA: {
    names: ['HGA', 'h.g.a.', 'Hybrid Grading Approach', 'HGA 9.5'],
    link: (number) => `HGA#${number}`,
    numberOf: (digits) => digits,
  },
  'ARENA CLUB': {
    names: ['Arena Club', 'ARENACLUB', 'arena-club', 'Arena Club 9'],
    link: (number) => `ArenaClub#${number}`,
    numberOf: (digits) => digits,
  },
} as const satisfies Record<string, Label>

export const graders = Object.keys(labels) as Grader[]

export const slabOf = (grader: Grader, digits: string): Slab => ({
  grader,
  number: labels[grader].numberOf(digits),
})

/** As people and spreadsheets write a number; none has a space, which ends a scan. */
const written: ReadonlyArray<(number: string) => string> = [
  (number) => number,
  (number) => number.toLowerCase(),
  (number) => `#${number}`,
  (number) => `${number.slice(0, 2)}-${number.slice(2)}`,
  (number) => (/^\d+$/.test(number) ? `0${number}` : number),
  (number) => number.replace(/^0+/, ''),
]

export const graderText = ({ grader }: Slab, random: Random): string => random.pick(labels[grader].names)

/** A scan of a label, or a number that somebody types. */
export function codeText(slab: Slab, random: Random): string {
  return random.is(0.4) ? linkText(slab) : random.pick(written)(slab.number)
}

export const linkText = ({ grader, number }: Slab): string => labels[grader].link(number)

const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^A-Z]/g, '')

/** The slab that a document means, by letters and digits alone. */
export function slabIn(grader: string | null | undefined, cert: string | null | undefined): Slab {
  const letters = lettersOf(grader ?? '')
  const name = graders.find((each) => labels[each].names.some((text) => lettersOf(text) === letters))!
  const digits = (cert ?? '').replace(/\D/g, '')
  return { grader: name, number: name === 'TAG' ? `A${digits}` : digits.replace(/^0+/, '') }
}

export const keyOf = ({ grader, number }: Slab): string => `${grader} ${digitsOf(number)}`

export const digitsOf = (number: string): string => number.replace(/\D/g, '').replace(/^0+/, '')
