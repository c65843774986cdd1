import { answersOf, wordsOf } from '../box-oracle.ts'
import { type Code, isTwin, partOf } from '../boxes.ts'
import type { ErrandCourse } from '../errands.ts'
import { keyOf } from '../spellings.ts'
import { count, ofPartners, overlap, type States } from './seen.ts'

type Attempt = ErrandCourse['attempts'][number]
type BoxCourse = ErrandCourse & { box: NonNullable<ErrandCourse['box']> }
/** A code with what was answered to it. */
type Told = Code & { word: string }

/** Slabs under every spelling, at the desk, at intake, and looked up. */
export const statesOfBoxes = {
  'a slab was scanned twice under two spellings in one run, and received once': ofBoxes(({ attempts }) =>
    attempts.some((attempt) =>
      pairs(told(attempt)).some(([a, b]) => isRespelt(a, b) && says(a, b, 'ok', 'twice')),
    ),
  ),
  'a slab was scanned under another spelling on another day, and known': ofBoxes(({ attempts }) =>
    pairs(attempts).some(([one, other]) =>
      told(one).some((a) => told(other).some((b) => isRespelt(a, b) && says(a, b, 'ok', 'twice'))),
    ),
  ),
  'a desk ended with a scan in its hand, and the slab was received later': ofBoxes(({ attempts }) =>
    attempts.some((attempt, at) => {
      const last = told(attempt).at(-1)
      const isOpen = attempt.code !== 0 && attempt.code !== 9 && last?.word === 'ok'
      return (
        isOpen && told(...attempts.slice(at + 1)).some((later) => isSame(last, later) && later.word === 'ok')
      )
    }),
  ),
  'two desks scanned one slab at once, and it was received once': ofBoxes(({ attempts }) =>
    pairs(attempts).some(
      ([one, other]) =>
        overlap(one, other) &&
        told(one).some((a) => told(other).some((b) => isSame(a, b) && says(a, b, 'ok', 'ok'))),
    ),
  ),
  'two slabs of one number were told apart by the addresses of their labels': ofBoxes(({ box, attempts }) =>
    attempts.some(
      (attempt) =>
        pairs(told(attempt).filter(({ word, slab }) => word === 'ok' && isTwin(slab, box))).length > 0,
    ),
  ),
  'the address of another grader was scanned, and its number rejected': ofBoxes(({ attempts }) =>
    told(...attempts).some(({ is }) => is === 'misnamed'),
  ),
  "a slab of another partner's box was scanned, and put aside": ofBoxes(({ attempts }) =>
    told(...attempts).some(({ is, word }) => is === 'elsewhere' && word === 'elsewhere'),
  ),
  'a slab in custody was rejected at intake under another spelling': ofBoxes(({ attempts }) =>
    pairs(attempts).some(
      ([one, { args, code, codes }]) =>
        args[1] === 'intake' && code === 5 && told(one).some((a) => codes.some((b) => isRespelt(a, b))),
    ),
  ),
  'a file of arrivals named one slab twice under two spellings, and was rejected whole': ofBoxes(
    ({ attempts }) =>
      attempts.some(
        ({ args, code, codes }) =>
          args[1] === 'intake' && code === 5 && pairs(codes).some(([a, b]) => isRespelt(a, b)),
      ),
  ),
  'goods were received again under a name, as the rejection of their rows advised': ofBoxes(({ attempts }) =>
    attempts.some(
      ({ args, code }, at) =>
        code === 0 &&
        args.includes('--delivery') &&
        attempts
          .slice(0, at)
          .some(({ args: before, err }) => before[2] === args[2] && err.includes('--delivery')),
    ),
  ),
  'an intake and a desk were at work on one box at once': ofBoxes(({ attempts }) =>
    pairs(attempts).some(
      (pair) =>
        overlap(...pair) && ['intake', 'receive'].every((part) => pair.some((one) => partOf(one) === part)),
    ),
  ),
  'a slab was entered for another partner, and then rejected for its own': ofBoxes(({ attempts, errand }) =>
    attempts.some(
      ({ err, args }) => args.includes(`Partner ${errand.partner}`) && /custody: .*, for Partner/.test(err),
    ),
  ),
  'a slab was expected under one spelling, and held under another': ofBoxes(({ attempts }) =>
    pairs(attempts).some(([one, other]) =>
      found(one).some((a) => found(other).some((b) => isRespelt(a, b) && says(a, b, 'expected', 'held'))),
    ),
  ),
  "a number was looked up under another grader's name": ofBoxes(({ attempts }) =>
    attempts.some((attempt) => found(attempt).some(({ word }) => word === 'other_grader')),
  ),
} as const satisfies States

function ofBoxes(is: (one: BoxCourse) => boolean) {
  return ofPartners(({ errands }) => count(errands, (one) => one.box !== undefined && is(one as BoxCourse)))
}

/** What the desk answered. */
function told(...attempts: readonly Attempt[]): Told[] {
  return attempts.flatMap((attempt) =>
    partOf(attempt) === 'receive'
      ? wordsOf(attempt).map((word, at) => ({ ...attempt.codes[at]!, word }))
      : [],
  )
}

function found(attempt: Attempt): Told[] {
  return partOf(attempt) === 'find'
    ? answersOf(attempt).map((word, at) => ({ ...attempt.codes[at]!, word }))
    : []
}

const isSame = (a: Code, b: Code): boolean => a.is === b.is && keyOf(a.slab) === keyOf(b.slab)
const isRespelt = (a: Code, b: Code): boolean => isSame(a, b) && a.text !== b.text
const says = (a: Told, b: Told, first: string, then: string): boolean => a.word === first && b.word === then

/** Each with each that comes later. */
function pairs<T>(all: readonly T[]): Array<[T, T]> {
  return all.flatMap((one, at) => all.slice(at + 1).map((other): [T, T] => [one, other]))
}
