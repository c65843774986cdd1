import type { CommandCourse } from '../commands.ts'
import { type ErrandCourse, isTold } from '../errands.ts'
import type { Judged } from '../oracle.ts'
import { count, dayMs, goodIssue, isGood, ofPartners, overlap, type Seen, type States } from './seen.ts'

type Attempt = ErrandCourse['attempts'][number]

const isImport = ({ errand }: ErrandCourse): boolean => /^(products|orders|manifest)$/.test(errand.kind)
const isTail = ({ errand }: ErrandCourse): boolean => /^(tail|follow)$/.test(errand.kind)
const isKilled = ({ code }: Attempt): boolean => code === undefined

/** Rare states of the operators' commands. */
export const statesOfCommands = {
  'an import was killed when some of its rows were done, and the rest was done later': ofErrands(
    (one, { effects }) =>
      isImport(one) &&
      one.attempts.some(
        (attempt, at) =>
          isKilled(attempt) &&
          attempt.asked.some((asked) => effects.has(asked.one.trace) || goodIssue(asked.one)) &&
          one.attempts.slice(at + 1).some((later) => isTold(one.errand, later) && madeBy(later) > 0),
      ),
  ),
  'an import was killed three times before it was done': ofErrands(
    (one) => isImport(one) && count(one.attempts, isKilled) >= 3,
  ),
  'an import ran on two machines at once': ofErrands(
    (one) => isImport(one) && haveMet(one, (a, b) => a.desk !== b.desk),
  ),
  'an import was done, sent again, and made nothing': ofErrands(
    (one) =>
      isImport(one) &&
      one.attempts.some((attempt, at) => at > 0 && isTold(one.errand, attempt) && madeBy(attempt) === 0),
  ),
  'an import was done from a CSV file and from a workbook with the same rows': ofErrands(
    ({ errand, attempts }) =>
      attempts
        .filter((attempt) => isTold(errand, attempt))
        .some((a, at, told) =>
          told
            .slice(at + 1)
            .some((b) => a.file === b.file && a.args[2] !== b.args[2] && madeBy(a) + madeBy(b) > 0),
        ),
  ),
  'a corrected file was sent after its good rows were done': ofErrands(
    (one) =>
      one.since > 0 &&
      one.attempts.slice(0, one.since).some((attempt) => attempt.code === 9) &&
      one.attempts.slice(one.since).some((attempt) => madeBy(attempt) > 0),
  ),
  'rows were made from a corrected file of failed rows': ofErrands((one) =>
    one.repairs.some((repair) => isTold(one.errand, repair) && madeBy(repair) > 0),
  ),
  'an unchanged file was sent again after its failed rows were made from a corrected file': ofErrands((one) =>
    one.repairs.some(
      (repair) =>
        isTold(one.errand, repair) &&
        madeBy(repair) > 0 &&
        one.attempts.some((later) => later.begun > repair.ended && isTold(one.errand, later)),
    ),
  ),
  'an import was done from a machine whose clock was a year ahead': ofErrands(
    (one) =>
      isImport(one) &&
      one.attempts.some((attempt) => (attempt.how.skewMs ?? 0) > 365 * dayMs && isTold(one.errand, attempt)),
  ),
  'a row failed because its item had been taken since': ofErrands(
    (one) =>
      one.errand.kind === 'orders' &&
      one.attempts.some(({ out }) => /state_conflict|not available/.test(out)),
  ),
  'a file of failed rows could not be written for lack of room': ofErrands(
    (one) => isImport(one) && one.attempts.some(({ err }) => err.includes('no space is left')),
  ),
  'the power went while an import ran, and it was done later': ofErrands(
    (one) =>
      isImport(one) &&
      one.attempts.some(
        (attempt, at) => isKilled(attempt) && (one.attempts[at + 1]?.boot ?? attempt.boot) > attempt.boot,
      ),
  ),
  'an order was sent again by a command that did not know of the first': ofErrands(
    (one) =>
      one.errand.kind === 'order' &&
      one.attempts.some(({ code }) => code === 8 || code === undefined) &&
      one.attempts.some(({ code, err }) => code === 5 || /already|repeated/i.test(err)),
  ),
  'a tail was killed in the middle, and printed nothing twice': ofErrands(
    (one) =>
      isTail(one) &&
      one.attempts.some(
        (attempt, at) =>
          isKilled(attempt) && attempt.out !== '' && one.attempts.slice(at + 1).some(({ out }) => out !== ''),
      ) &&
      twiceIn(one) === 0,
  ),
  'a tail printed an event again, because its place was not saved': ofErrands(
    (one) => isTail(one) && twiceIn(one) > 0,
  ),
  'a disk was full when a tail was to save its place': ofErrands(
    (one) => isTail(one) && one.attempts.some(({ err }) => err.includes('no space is left')),
  ),
  'the power went while a tail saved its place': ofErrands(
    (one) =>
      isTail(one) &&
      one.attempts.some(
        (attempt, at) => isKilled(attempt) && (one.attempts[at + 1]?.boot ?? attempt.boot) > attempt.boot,
      ),
  ),
  'a tail was stopped by its operator, and went on later': ofErrands(
    (one) =>
      isTail(one) &&
      one.attempts.some(
        (attempt, at) =>
          attempt.code === 0 &&
          attempt.how.stop !== undefined &&
          one.attempts.slice(at + 1).some(({ out }) => out !== ''),
      ),
  ),
  "a manifest's rows were submitted under another reference, as its report advised": ofErrands(
    ({ errand, followed }) =>
      errand.kind === 'manifest' && followed.some(({ args, code }) => code === 0 && /-2\b/.test(`${args}`)),
  ),
  'a command ended in doubt, and the same key told later that it was done': ({ partners, byTrace }) =>
    ofCommands(partners, ({ runs }) =>
      runs.some(
        (run, at) =>
          run.code === 8 &&
          runs
            .slice(at + 1)
            .some(
              ({ code, asked }) =>
                code === 0 &&
                asked.some(({ one }) => (byTrace.get(one.trace) ?? []).some(({ isReplayed }) => isReplayed)),
            ),
      ),
    ),
  'a command was killed, and what it asked for was done': ({ partners }) =>
    ofCommands(partners, ({ runs }, { effects }) =>
      runs.some(({ code, asked }) => code === undefined && asked.some(({ one }) => effects.has(one.trace))),
    ),
  'a command was interrupted, and what it asked for was done': ({ partners }) =>
    ofCommands(partners, ({ runs }, { effects }) =>
      runs.some(({ code, asked }) => code === 130 && asked.some(({ one }) => effects.has(one.trace))),
    ),
  'a command gave up waiting, and what it asked for was done': ({ partners, byTrace }) =>
    ofCommands(partners, ({ runs }) =>
      runs.some(
        ({ code, asked }) =>
          code === 8 &&
          asked.some(
            ({ one, seen }) =>
              !isGood(seen.status) && (byTrace.get(one.trace) ?? []).some(({ status }) => isGood(status)),
          ),
      ),
    ),
  'a command of a key ran twice at once, and was done once': ({ partners }) =>
    ofCommands(
      partners,
      ({ key, runs }) =>
        key !== undefined &&
        runs.some((a, at) =>
          runs
            .slice(at + 1)
            .some(
              (b) =>
                overlap(a, b) &&
                a.asked.some(({ one }) => b.asked.some((other) => other.one === one)) &&
                [a, b].every(({ asked }) => asked.some(({ one }) => goodIssue(one))),
            ),
        ),
    ),
  "a command named another partner's things by their reference": ({ partners }) =>
    ofCommands(partners, ({ isStrange, isByName }) => isStrange && isByName),
} as const satisfies States

function ofErrands(is: (one: ErrandCourse, history: Judged) => boolean) {
  return ofPartners((history) => count(history.errands, (one) => is(one, history)))
}

function ofCommands(
  partners: Seen['partners'],
  is: (one: CommandCourse, history: Judged) => boolean,
): number {
  return partners.reduce((sum, history) => sum + count(history.commands, (one) => is(one, history)), 0)
}

/** Whether two runs overlapped. */
function haveMet({ attempts }: ErrandCourse, is: (a: Attempt, b: Attempt) => boolean): boolean {
  return attempts.some((a, at) => attempts.slice(at + 1).some((b) => overlap(a, b) && is(a, b)))
}

function madeBy({ out, code }: Attempt): number {
  return code === undefined || !out.startsWith('{') ? 0 : (JSON.parse(out).totals?.created ?? 0)
}

/** Events that were printed again. */
function twiceIn({ attempts }: ErrandCourse): number {
  const lines = attempts.flatMap(({ out }) => out.split('\n').filter(Boolean))
  return lines.length - new Set(lines).size
}
