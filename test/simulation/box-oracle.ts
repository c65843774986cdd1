import type { WebhookEvent } from '../../src/contract/resources/event.ts'
import { type Box, type Code, keysOf, partOf, strayName } from './boxes.ts'
import { delivered, goodsOf } from './deliveries.ts'
import { type ErrandCourse, nameOf } from './errands.ts'
import type { Final } from './final.ts'
import type { History } from './run.ts'
import { keyOf, slabIn } from './spellings.ts'

type Attempt = ErrandCourse['attempts'][number]
type Graded = { grader?: string | null; cert_number?: string | null }
type Wrong = (what: string) => void

const endings = new Set([undefined, 0, 8, 130])

/** Nobody else brings slabs of a box, and no command of the desk has a trace. */
export function fromBox({ errands }: History): (event: WebhookEvent) => boolean {
  const boxes = errands.filter(({ box }) => box)
  const keys = new Set(boxes.flatMap(({ box }) => box!.slabs.map(keyOf)))
  const goods = new Set<string | undefined>(boxes.map(goodsOf))
  return ({ type, data }) =>
    type === 'item.intake.completed' &&
    (keys.has(keyIn(data.item)) || goods.has(data.item.category) || data.item.name === strayName)
}

const keyIn = ({ grader, cert_number }: Graded): string => keyOf(slabIn(grader, cert_number))

/** Each slab came once and on its own line, whatever it was called, and no command said otherwise. */
export function unpacked(one: ErrandCourse, box: Box, history: History, wrong: Wrong): void {
  const { final } = history
  const { attempts, errand } = one
  for (const attempt of attempts) {
    const fail: Wrong = (what) => wrong(`${attempt.args.join(' ')} ${JSON.stringify(attempt.codes)}: ${what}`)
    const part = partOf(attempt)
    if (part === 'receive') scanned(one, attempt, fail)
    else if (part === 'intake') checkIntake(one, attempt, final, fail)
    else if (part === 'find') found(one, attempt, fail)
    if (
      !endings.has(attempt.code) &&
      !(attempt.code === 5 && /^(intake|stray|deliver)$/.test(part)) &&
      !(attempt.code === 9 && part === 'receive')
    )
      fail(`ended with ${attempt.code}: ${attempt.err}`)
  }
  delivered(one, history, wrong)
  const report = final.reports.find(({ reference }) => reference === nameOf(errand))
  const byKey = Map.groupBy(final.items, keyIn)
  for (const slab of box.slabs) {
    const qids = (byKey.get(keyOf(slab)) ?? []).map(({ qid }) => qid)
    const line = report?.lines.find((each) => keyIn(each) === keyOf(slab))
    if (qids.length !== 1 || `${line?.matched_qids}` !== `${qids}`)
      wrong(`${keyOf(slab)} is there as ${qids}, and its line has ${line?.matched_qids}`)
  }
}

/** A slab that was entered for two partners is in custody once, and a run that was rejected names its item. */
export function strayed({ attempts, box }: ErrandCourse, finals: readonly Final[], wrong: Wrong): void {
  const holders = finals.flatMap(({ items }, partner) =>
    items.filter((item) => box && keyIn(item) === keyOf(box.stray)).map(({ qid }) => ({ qid, partner })),
  )
  const [holder] = holders
  if (box && holders.length !== 1) wrong(`${keyOf(box.stray)} is in custody as ${JSON.stringify(holders)}`)
  for (const { args, code, out, err } of attempts.filter((attempt) => partOf(attempt) === 'stray')) {
    const isOwn = args.includes(`Partner ${holder?.partner}`)
    const told = `is already in custody: ${holder?.qid}, received${isOwn ? ';' : `, for Partner ${holder?.partner};`}`
    if (code === 0 && !(isOwn && out.includes(`${holder?.qid}`))) wrong(`${args.join(' ')} received it again`)
    if (code === 5 && !err.includes(told)) wrong(`${args.join(' ')} does not say who has it: ${err}`)
  }
}

/** What a run answered to each code, as far as it came. */
export function wordsOf({ out }: Attempt): string[] {
  const [first, ...words] = out
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t')[0]!)
  return first === 'manifest' ? words : []
}

function scanned(one: ErrandCourse, attempt: Attempt, wrong: Wrong): void {
  const words = wordsOf(attempt)
  const isOver = attempt.code === 0 || attempt.code === 9
  if (isOver && words.length !== attempt.codes.length) wrong(`answered ${words}`)
  const seen = new Set<string>()
  for (const [at, word] of words.entries()) {
    const { slab, is, text } = attempt.codes[at]!
    const key = keyOf(slab)
    const isIn = seen.has(key) || wasShown(one, attempt, key)
    const may = {
      own: isIn ? /^twice$/ : /^(ok|twice)$/,
      strange: /^unknown$/,
      stray: /^unknown$/,
      elsewhere: /^elsewhere$/,
      misnamed: /^(elsewhere|unknown)$/,
    }
    if (!may[is].test(word)) wrong(`answered ${word} to ${text}`)
    if (word === 'twice' && is === 'own' && !isIn && !wasBrought(one, attempt, key))
      wrong(`knows ${text}, which nobody brought`)
    if (is === 'own') seen.add(key)
  }
}

/** All of a file or nothing; what is rejected is in custody, or twice in the file. */
function checkIntake(one: ErrandCourse, attempt: Attempt, { items }: History['final'], wrong: Wrong): void {
  const { code, err, codes } = attempt
  const keys = keysOf(codes)
  const isTwice = keys.size < codes.length
  if (code === 0 && (isTwice || [...keys].some((key) => wasShown(one, attempt, key))))
    wrong('received what is there')
  if (code !== 5) return
  const named = items.filter(({ qid }) => err.includes(qid)).map(keyIn)
  if (named.some((key) => !keys.has(key))) wrong(`names another slab: ${err}`)
  if (!isTwice && !named.some((key) => wasBrought(one, attempt, key)))
    wrong(`rejected what was not there: ${err}`)
}

export function answersOf({ code, out }: Attempt): string[] {
  return code === 0 ? (JSON.parse(out) as Array<{ answer: string }>).map(({ answer }) => answer) : []
}

function found(one: ErrandCourse, attempt: Attempt, wrong: Wrong): void {
  for (const [at, answer] of answersOf(attempt).entries()) {
    const { slab, text, is } = attempt.codes[at]!
    const key = keyOf(slab)
    const isHeld = wasShown(one, attempt, key)
    // Between its look at the items and its look at the manifests a slab may go from one to the other.
    const may = wasBrought(one, attempt, key) ? /^(held|expected|unknown)$/ : /^expected$/
    const right =
      is === 'own' ? (isHeld ? /^held$/ : may) : is === 'strange' ? /^unknown$/ : /^(other_grader|unknown)$/
    if (!right.test(answer)) wrong(`answered ${answer} to ${text}`)
  }
}

/** Whether a run that had ended before fail that the slab is in custody. */
function wasShown({ attempts }: ErrandCourse, { begun }: Attempt, key: string): boolean {
  return attempts.some((before) => before.ended <= begun && isShown(before, key))
}

/** Whether a run that had begun by its end may have received the slab. */
function wasBrought({ attempts }: ErrandCourse, attempt: Attempt, key: string): boolean {
  return attempts.some(
    (other) =>
      other !== attempt &&
      other.begun < attempt.ended &&
      /receive|intake/.test(partOf(other)) &&
      keysOf(other.codes).has(key),
  )
}

function isShown(attempt: Attempt, key: string): boolean {
  const { code, codes } = attempt
  const is = (each: Code | undefined): boolean => each?.is === 'own' && keyOf(each.slab) === key
  const part = partOf(attempt)
  if (part === 'intake') return code === 0 && codes.some(is)
  if (part === 'find') return answersOf(attempt).some((answer, at) => answer === 'held' && is(codes[at]))
  return part === 'receive' && (code === 0 || code === 9) && codes.some(is)
}
