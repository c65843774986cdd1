import { deliver, isDelivery } from './deliveries.ts'
import { type Place, putFile } from './desks.ts'
import type { ErrandCourse } from './errands.ts'
import type { Random } from './random.ts'
import type { World } from './run.ts'
import {
  codeText,
  type Grader,
  graders,
  graderText,
  keyOf,
  linkText,
  type Slab,
  slabOf,
} from './spellings.ts'
import { partners } from './story.ts'

/** The slabs of a delivery, which nobody else handles. Two of them may have one number, of two graders. */
export type Box = {
  slabs: readonly Slab[]
  lines: string
  strange: Slab
  /** On no line, and sometimes entered for another partner. */
  stray: Slab
  /** A product of which several equal deliveries come, once one is known. */
  sku?: string | undefined
}

/** A slab as it was written, and what it is: of the box, of no delivery, of another partner's, under another grader's name, or on no line. */
export type Code = { text: string; slab: Slab; is: 'own' | 'strange' | 'elsewhere' | 'misnamed' | 'stray' }

/** What is typed, and the slabs that it names, in order. */
export type Typed = { args: readonly string[]; codes: readonly Code[]; input?: string }

export function newBox(no: number, random: Random): Box {
  const digits = (at: number): string => `4${String(no).padStart(5, '0')}${String(at).padStart(2, '0')}`
  const slabs = Array.from({ length: 2 + random.int(5) }, (_, at) => slabOf(random.pick(graders), digits(at)))
  if (random.is(0.5)) slabs.push(slabOf('PSA', digits(90)), slabOf('SGC', digits(90)))
  const rows = slabs.map((slab, at) => `kept${no}n${at},${row(slab, random)},1`)
  const lines = ['description,grader,cert_number,quantity', ...rows, ''].join('\n')
  const [strange, stray] = [99, 98].map((at) => slabOf(random.pick(graders), digits(at))) as [Slab, Slab]
  return { slabs, lines, strange, stray }
}

const row = (slab: Slab, random: Random): string => `${graderText(slab, random)},${codeText(slab, random)}`

export const atPartner = ({ database }: World, partner: number): string[] => [
  ...['--database', database, '--partner', `Partner ${partner}`],
]

type Make = (of: {
  world: World
  one: ErrandCourse
  box: Box
  place: Place
  name: string
  all: boolean
}) => Typed

export const strayName = 'stray'

/** `all`: of every slab of the box, and of nothing else. */
export const parts: Record<'submit' | 'receive' | 'intake' | 'stray' | 'deliver' | 'find', Make> = {
  submit: ({ one }) => ({ args: one.args, codes: [] }),
  /** By a scanner, which reads labels and what people type beneath them. */
  receive({ world, one: { args, errand, random }, box, place, name, all }) {
    const scans = box.slabs.flatMap((slab) => {
      const times = all ? 1 : random.int(3)
      return Array.from({ length: times }, () => own(slab, scanOf(slab, box, random)))
    })
    const codes = all ? scans : shuffled([...scans, ...othersOf(world, errand.partner, box, random)], random)
    putFile(place, name, codes.map(({ text }) => text).join('\n'))
    const words = ['warehouse', 'receive', args[4]!, '--scan', '--grade', '9']
    return { args: [...words, ...atPartner(world, errand.partner)], codes, input: name }
  },
  /** One slab by its flags, or several by a file. */
  intake({ world, one: { errand, random }, box, place, name, all }) {
    const count = all || random.is(0.6) ? 1 : 2 + random.int(2)
    const slabs = Array.from({ length: count }, () => random.pick(box.slabs))
    const isFile = count > 1
    const where = ['--output', 'json', ...atPartner(world, errand.partner)]
    const codes = slabs.map((slab) => own(slab, codeText(slab, random)))
    const rows = codes.map(({ text, slab }) => {
      const grader = graderText(slab, random)
      return [grader, /\d$/.test(grader) ? '' : '9', text]
    })
    if (isFile) putFile(place, name, [['grader', 'grade', 'cert_number'], ...rows, []].map(String).join('\n'))
    const [grader = '', grade = '', cert = ''] = rows[0]!
    const typed = ['--grader', grader, ...(grade ? ['--grade', grade] : []), '--cert-number', cert]
    return { args: ['warehouse', 'intake', ...(isFile ? [name] : typed), ...where], codes }
  },
  /** A slab by its flags; in production first for the next partner. */
  stray({ world, one: { errand, random, attempts }, box: { stray } }) {
    const isFirst = !attempts.some((attempt) => partOf(attempt) === 'stray')
    const isAstray = world.story.environment === 'production' && (isFirst || random.is(0.3))
    const partner = isAstray ? (errand.partner + 1) % partners : errand.partner
    const text = codeText(stray, random)
    const typed = ['--grader', stray.grader, '--grade', '9', '--cert-number', text, '--name', strayName]
    const args = ['warehouse', 'intake', ...typed, '--output', 'json', ...atPartner(world, partner)]
    return { args, codes: [{ text, slab: stray, is: 'stray' }] }
  },
  /** Products by a file, which another truck may bring once more. */
  deliver(of) {
    const { world, one, box, place } = of
    const { partner } = one.errand
    box.sku ??= world.known[partner]!.catalog.at(-1)
    const words = deliver(one, place, box.sku)
    return words === undefined
      ? parts.find(of)
      : { args: [...words, '--output', 'json', ...atPartner(world, partner)], codes: [] }
  },
  find({ one: { random }, box, place, name, all }) {
    const codes: Code[] = box.slabs.map((slab) => own(slab, codeText(slab, random)))
    const rows = codes.map(({ text, slab }) => `${graderText(slab, random)},${text}`)
    if (!all) {
      const slab = misnamed(random.pick(box.slabs), box)
      for (const [other, is] of [
        [box.strange, 'strange'],
        [slab, 'misnamed'],
      ] as const) {
        const text = other && codeText(other, random)
        if (!other || !text) continue
        codes.push({ text, slab: other, is })
        rows.push(`${graderText(other, random)},${text}`)
      }
    }
    putFile(place, name, ['grader,cert_number', ...rows, ''].join('\n'))
    return { args: ['items', 'find', name, '--output', 'json'], codes }
  },
}

export type Part = keyof typeof parts

export const partOf = ({ args }: { args: readonly string[] }): Part =>
  isDelivery({ args })
    ? 'deliver'
    : args.includes(strayName)
      ? 'stray'
      : (({ manifests: 'submit', items: 'find' }[args[0] as string] ?? args[1]) as Part)

const own = (slab: Slab, text: string): Code => ({ text, slab, is: 'own' })

/** A bare number of which the box has two says nothing. */
function scanOf(slab: Slab, box: Box, random: Random): string {
  const text = isTwin(slab, box) ? linkText(slab) : codeText(slab, random)
  return random.is(0.2) ? `${text} 9` : text
}

export function isTwin({ grader, number }: Slab, { slabs }: Box): boolean {
  return slabs.some((other) => other.grader !== grader && other.number === number)
}

/** The number under the name of a grader that numbers alike, and has no slab of it. */
function misnamed(slab: Slab, box: Box): Slab | undefined {
  const grader: Grader = slab.grader === 'PSA' ? 'SGC' : 'PSA'
  const other = { grader, number: slab.number }
  return /\D/.test(slab.number) || isTwin(slab, box) ? undefined : other
}

function othersOf(world: World, partner: number, box: Box, random: Random): Code[] {
  const there = world.errands.find(
    ({ errand, box: theirs, attempts }) =>
      theirs &&
      errand.partner !== partner &&
      attempts.some((attempt) => partOf(attempt) === 'submit' && attempt.code === 0),
  )?.box
  const slab = misnamed(random.pick(box.slabs), box)
  const codes: Array<Code | undefined> = [
    { slab: box.strange, text: codeText(box.strange, random), is: 'strange' },
    slab && { slab, text: linkText(slab), is: 'misnamed' },
    there && { slab: there.slabs[0]!, text: linkText(there.slabs[0]!), is: 'elsewhere' },
  ]
  return codes.filter((code) => code !== undefined && random.is(0.4)) as Code[]
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((one) => ({ one, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
}

export const keysOf = (codes: readonly Code[]): Set<string> =>
  new Set(codes.filter(({ is }) => is === 'own').map(({ slab }) => keyOf(slab)))
