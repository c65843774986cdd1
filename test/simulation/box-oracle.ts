import type { WebhookEvent } from '../../src/contract/resources/event.ts'
import { type Box, type Code, isTwin, keysOf, partOf } from './boxes.ts'
import { type ErrandCourse, nameOf } from './errands.ts'
import type { History } from './run.ts'
import { keyOf, slabIn } from './spellings.ts'

type Tried = ErrandCourse['tries'][number]
type Graded = { grader?: string | null; cert_number?: string | null }
type Wrong = (what: string) => void

const endings = new Set([undefined, 0, 8, 130])

/** Nobody else brings slabs of a box, and no command of the desk has a trace. */
export function fromBox({ errands }: History): (event: WebhookEvent) => boolean {
  const keys = new Set(errands.flatMap(({ box }) => box?.slabs.map(keyOf) ?? []))
  return ({ type, data }) => type === 'item.intake.completed' && keys.has(keyIn(data.item))
}

const keyIn = ({ grader, cert_number }: Graded): string => keyOf(slabIn(grader, cert_number))

/** Each slab came once and on its own line, whatever it was called, and no command said otherwise. */
export function unpacked(one: ErrandCourse, box: Box, { final }: History, wrong: Wrong): void {
  const { tries, errand } = one
  for (const tried of tries) {
    const said: Wrong = (what) => wrong(`${tried.args.join(' ')} ${JSON.stringify(tried.codes)}: ${what}`)
    const part = partOf(tried)
    if (part === 'receive') scanned(one, box, tried, said)
    else if (part === 'intake') takenIn(one, tried, final, said)
    else if (part === 'find') found(one, tried, said)
    if (
      !endings.has(tried.code) &&
      !(tried.code === 5 && part === 'intake') &&
      !(tried.code === 9 && part === 'receive')
    )
      said(`ended with ${tried.code}: ${tried.err}`)
  }
  const report = final.reports.find(({ reference }) => reference === nameOf(errand))
  const byKey = Map.groupBy(final.items, keyIn)
  for (const slab of box.slabs) {
    const qids = (byKey.get(keyOf(slab)) ?? []).map(({ qid }) => qid)
    const line = report?.lines.find((each) => keyIn(each) === keyOf(slab))
    if (qids.length !== 1 || `${line?.matched_qids}` !== `${qids}`)
      wrong(`${keyOf(slab)} is there as ${qids}, and its line has ${line?.matched_qids}`)
  }
}

/** What a run answered to each code, as far as it came. */
export function wordsOf({ out }: Tried): string[] {
  const [first, ...words] = out
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t')[0]!)
  return first === 'manifest' ? words : []
}

function scanned(one: ErrandCourse, box: Box, tried: Tried, wrong: Wrong): void {
  const words = wordsOf(tried)
  const isOver = tried.code === 0 || tried.code === 9
  if (isOver && words.length !== tried.codes.length) wrong(`answered ${words}`)
  const seen = new Set<string>()
  for (const [at, word] of words.entries()) {
    const { slab, is, text } = tried.codes[at]!
    const key = keyOf(slab)
    const isIn = seen.has(key) || wasShown(one, tried, key)
    const may = {
      own: isIn ? /^twice$/ : /^(ok|twice)$/,
      strange: /^unknown$/,
      elsewhere: /^elsewhere$/,
      misnamed: /^(elsewhere|twice)$/,
    }
    const isOfTwin = is === 'own' && isIn && word === 'elsewhere' && isTwin(slab, box)
    if (!may[is].test(word) && !isOfTwin) wrong(`answered ${word} to ${text}`)
    if (word === 'twice' && is === 'own' && !isIn && !wasBrought(one, tried, key))
      wrong(`knows ${text}, which nobody brought`)
    if (is === 'own') seen.add(key)
  }
}

/** All of a file or nothing; what is refused is in custody, or twice in the file. */
function takenIn(one: ErrandCourse, tried: Tried, { items }: History['final'], wrong: Wrong): void {
  const { code, err, codes } = tried
  const keys = keysOf(codes)
  const isTwice = keys.size < codes.length
  if (code === 0 && (isTwice || [...keys].some((key) => wasShown(one, tried, key))))
    wrong('received what is there')
  if (code !== 5) return
  const named = items.filter(({ qid }) => err.includes(qid)).map(keyIn)
  if (named.some((key) => !keys.has(key))) wrong(`names another slab: ${err}`)
  if (!isTwice && !named.some((key) => wasBrought(one, tried, key)))
    wrong(`refused what was not there: ${err}`)
}

export function answersOf({ code, out }: Tried): string[] {
  return code === 0 ? (JSON.parse(out) as Array<{ answer: string }>).map(({ answer }) => answer) : []
}

function found(one: ErrandCourse, tried: Tried, wrong: Wrong): void {
  for (const [at, answer] of answersOf(tried).entries()) {
    const { slab, text, is } = tried.codes[at]!
    const key = keyOf(slab)
    const isHeld = wasShown(one, tried, key)
    // Between its look at the items and its look at the manifests a slab may go from one to the other.
    const may = wasBrought(one, tried, key) ? /^(held|expected|unknown)$/ : /^expected$/
    const right =
      is === 'own' ? (isHeld ? /^held$/ : may) : is === 'strange' ? /^unknown$/ : /^(other_grader|unknown)$/
    if (!right.test(answer)) wrong(`answered ${answer} to ${text}`)
  }
}

/** Whether a run that had ended before said that the slab is in custody. */
function wasShown({ tries }: ErrandCourse, { begun }: Tried, key: string): boolean {
  return tries.some((before) => before.ended <= begun && isShown(before, key))
}

/** Whether a run that had begun by its end may have received the slab. */
function wasBrought({ tries }: ErrandCourse, tried: Tried, key: string): boolean {
  return tries.some(
    (other) =>
      other !== tried &&
      other.begun < tried.ended &&
      /receive|intake/.test(partOf(other)) &&
      keysOf(other.codes).has(key),
  )
}

function isShown(tried: Tried, key: string): boolean {
  const { code, codes } = tried
  const is = (each: Code | undefined): boolean => each?.is === 'own' && keyOf(each.slab) === key
  const part = partOf(tried)
  if (part === 'intake') return code === 0 && codes.some(is)
  if (part === 'find') return answersOf(tried).some((answer, at) => answer === 'held' && is(codes[at]))
  return part === 'receive' && (code === 0 || code === 9) && codes.some(is)
}
