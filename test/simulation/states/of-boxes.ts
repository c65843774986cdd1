import { answersOf, wordsOf } from '../box-oracle.ts'
import { type Code, isTwin, partOf } from '../boxes.ts'
import type { ErrandCourse } from '../errands.ts'
import { keyOf } from '../spellings.ts'
import { count, ofPartners, overlap, type States } from './seen.ts'

type Try = ErrandCourse['tries'][number]
type BoxCourse = ErrandCourse & { box: NonNullable<ErrandCourse['box']> }
/** A code with what was answered to it. */
type Told = Code & { word: string }

/** Slabs under every spelling, at the desk, at intake, and looked up. */
export const statesOfBoxes = {
  'a slab was scanned twice under two spellings in one run, and received once': ofBoxes(({ tries }) =>
    tries.some((tried) => pairs(told(tried)).some(([a, b]) => isRespelt(a, b) && says(a, b, 'ok', 'twice'))),
  ),
  'a slab was scanned under another spelling on another day, and known': ofBoxes(({ tries }) =>
    pairs(tries).some(([one, other]) =>
      told(one).some((a) => told(other).some((b) => isRespelt(a, b) && says(a, b, 'ok', 'twice'))),
    ),
  ),
  'a desk ended with a scan in its hand, and the slab was received later': ofBoxes(({ tries }) =>
    tries.some((tried, at) => {
      const last = told(tried).at(-1)
      const isOpen = tried.code !== 0 && tried.code !== 9 && last?.word === 'ok'
      return (
        isOpen && told(...tries.slice(at + 1)).some((later) => isSame(last, later) && later.word === 'ok')
      )
    }),
  ),
  'two desks scanned one slab at once, and it was received once': ofBoxes(({ tries }) =>
    pairs(tries).some(
      ([one, other]) =>
        overlap(one, other) &&
        told(one).some((a) => told(other).some((b) => isSame(a, b) && says(a, b, 'ok', 'ok'))),
    ),
  ),
  'two slabs of one number were told apart by the addresses of their labels': ofBoxes(({ box, tries }) =>
    tries.some(
      (tried) => pairs(told(tried).filter(({ word, slab }) => word === 'ok' && isTwin(slab, box))).length > 0,
    ),
  ),
  'the address of another grader was scanned, and its number refused': ofBoxes(({ tries }) =>
    told(...tries).some(({ is }) => is === 'misnamed'),
  ),
  "a slab of another partner's box was scanned, and put aside": ofBoxes(({ tries }) =>
    told(...tries).some(({ is, word }) => is === 'elsewhere' && word === 'elsewhere'),
  ),
  'a slab in custody was refused at intake under another spelling': ofBoxes(({ tries }) =>
    pairs(tries).some(
      ([one, { args, code, codes }]) =>
        args[1] === 'intake' && code === 5 && told(one).some((a) => codes.some((b) => isRespelt(a, b))),
    ),
  ),
  'a file of arrivals named one slab twice under two spellings, and was refused whole': ofBoxes(({ tries }) =>
    tries.some(
      ({ args, code, codes }) =>
        args[1] === 'intake' && code === 5 && pairs(codes).some(([a, b]) => isRespelt(a, b)),
    ),
  ),
  'an intake and a desk were at work on one box at once': ofBoxes(({ tries }) =>
    pairs(tries).some(
      (pair) =>
        overlap(...pair) && ['intake', 'receive'].every((part) => pair.some((one) => partOf(one) === part)),
    ),
  ),
  'a slab was expected under one spelling, and held under another': ofBoxes(({ tries }) =>
    pairs(tries).some(([one, other]) =>
      found(one).some((a) => found(other).some((b) => isRespelt(a, b) && says(a, b, 'expected', 'held'))),
    ),
  ),
  "a number was looked up under another grader's name": ofBoxes(({ tries }) =>
    tries.some((tried) => found(tried).some(({ word }) => word === 'other_grader')),
  ),
} as const satisfies States

function ofBoxes(is: (one: BoxCourse) => boolean) {
  return ofPartners(({ errands }) => count(errands, (one) => one.box !== undefined && is(one as BoxCourse)))
}

/** What the desk answered. */
function told(...tries: readonly Try[]): Told[] {
  return tries.flatMap((tried) =>
    partOf(tried) === 'receive' ? wordsOf(tried).map((word, at) => ({ ...tried.codes[at]!, word })) : [],
  )
}

function found(tried: Try): Told[] {
  return partOf(tried) === 'find' ? answersOf(tried).map((word, at) => ({ ...tried.codes[at]!, word })) : []
}

const isSame = (a: Code, b: Code): boolean => a.is === b.is && keyOf(a.slab) === keyOf(b.slab)
const isRespelt = (a: Code, b: Code): boolean => isSame(a, b) && a.text !== b.text
const says = (a: Told, b: Told, first: string, then: string): boolean => a.word === first && b.word === then

/** Each with each that comes later. */
function pairs<T>(all: readonly T[]): Array<[T, T]> {
  return all.flatMap((one, at) => all.slice(at + 1).map((other): [T, T] => [one, other]))
}
