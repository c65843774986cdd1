import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { Refusal } from '../../../domain/refusal.ts'
import { usage } from '../../base/cli-error.ts'
import { counted } from '../../base/counted.ts'
import { bell } from '../../base/terminal-text.ts'
import type { CommandFile, Outcome, Session } from '../../command.ts'
import { manifestId } from './find.ts'
import { type PlaceOptions, placeOptions } from './place.ts'
import { type Answer, answer, book, type ScanDesk } from './scan-desk.ts'
import { inWarehouseFor } from './warehouse-work.ts'

type Options = PlaceOptions & { scan?: boolean; grade?: string }

export const command: CommandFile<[string | undefined, Options]> = {
  summary: 'take a delivery in with a handheld scanner: --scan reads its codes from stdin',
  details:
    'A line is a code: the label of a box (its manifest), a certificate, a SKU, or a QID to look one up. Each is answered with a ' +
    'word and a running count: ok, unexpected (a product on no line, taken in all the same), grade? (scan or type it, or give ' +
    '--grade), twice, known, unknown; a terminal rings for what is wrong. A scan is booked with the next code or at the end: ' +
    'undo, typed or scanned, takes the last one back.',
  examples: [
    'warehouse receive --scan',
    'warehouse receive PO-1041 --scan --grade 10',
    'warehouse receive PO-1041 --scan < codes.txt',
  ],
  define: (receive) =>
    placeOptions(
      receive
        .argument(
          '[manifest]',
          'what is being unpacked: its id or reference (default: as its label is scanned)',
        )
        .option('--scan', 'read codes from stdin, one a line')
        .option('--grade <grade>', 'of slabs whose scan does not say it'),
    ),
  isOffline: true,
  isPlain: true,
  run,
}

async function run(session: Session, given: string | undefined, options: Options): Promise<Outcome> {
  if (!options.scan)
    throw usage(
      'warehouse receive reads a scanner: add --scan.',
      'For a file or flags: custody warehouse intake',
    )
  return inWarehouseFor(session, options, async (inWork) => {
    const desk: ScanDesk = { inWork, grade: options.grade, scanned: 0, booked: 0, wrong: 0 }
    if (given !== undefined)
      tell(session, await answer(desk, await inWork((work) => manifestId(work, given))))
    const isStopped = await answerAll(session, desk)
    const refused = await book(desk)
    if (refused !== undefined) session.notice(refused)
    const { booked, wrong } = desk
    const others = wrong > 0 ? `; ${counted(wrong, 'scan was', 'scans were')} of nothing that can be` : ''
    session.notice(`${counted(booked, 'item')} taken in${others}`)
    if (isStopped) return 'interrupted'
    return wrong > 0 ? 'some_failed' : 'ok'
  })
}

/** Answers each code before the next is read. True where a signal ended it. */
async function answerAll({ io, ...session }: Session, desk: ScanDesk): Promise<boolean> {
  const stop = io.stopSignal()
  const lines = createInterface({ input: Readable.from(io.stdin.chunks()) })
  stop.addEventListener('abort', () => lines.close())
  for await (const line of lines) {
    const code = line.trim()
    if (code !== '') tell({ io, ...session }, await answer(desk, code).catch(asAnswer))
  }
  return stop.aborted
}

/** A refusal is an answer too: the next box is in the scanner's hand already. */
function asAnswer(error: unknown): Answer {
  if (!(error instanceof Refusal)) throw error
  return { word: 'refused', about: error.message, isWrong: true }
}

function tell({ io }: Pick<Session, 'io'>, { word, about, isWrong }: Answer): void {
  const ring = isWrong && io.out.isTerminal ? bell : ''
  io.out.write(`${word}\t${about}${ring}\n`)
}
