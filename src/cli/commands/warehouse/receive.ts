import { StoreError } from '../../../store/database.ts'
import { usage } from '../../base/cli-error.ts'
import { counted } from '../../base/counted.ts'
import { ifPossible } from '../../base/system-fault.ts'
import type { CommandFile, Session } from '../../command.ts'
import { manifestId } from './find.ts'
import { answer, begin, book, dropUngraded, reportMissed, type ScanDesk } from './scan-desk.ts'
import { answerCodes, tell } from './scanner.ts'
import { inWarehouseFor, type PlaceOptions, placeOptions } from './warehouse-work.ts'

type Options = PlaceOptions & { scan?: boolean; grade?: string; lint?: boolean }

export const command: CommandFile<[string | undefined, Options]> = {
  summary: 'Receive a delivery with a handheld scanner',
  details:
    'A line is a code: the label of a box (its manifest), a certificate or the QR code of its label, a SKU or barcode, or a QID to ' +
    'look one up. custody answers each with a word and a running count: ok, unexpected (a product that no line still expects, received anyway), grade? ' +
    '(scan or type it, or give --grade), twice (received already), elsewhere (expected on another manifest, or by another ' +
    'partner), left (with which order or transfer), known, unknown, refused (a label of no open manifest, or of several: nothing is received until another is ' +
    'scanned); a terminal beeps on errors. A scan is booked with the next code or at the end: ' +
    'undo, typed or scanned, cancels the last one.',
  examples: [
    'warehouse receive --scan',
    'warehouse receive PO-1041 --scan --grade 10',
    'warehouse receive PO-1041 --scan < codes.txt',
  ],
  define: (receive) =>
    placeOptions(
      receive
        .argument('[manifest]', 'Manifest being unpacked: its id or reference (default: scan its label)')
        .option('--scan', 'Read codes from stdin, one per line')
        .option('--grade <grade>', 'Grade of slabs whose code does not contain it')
        .option(
          '--no-lint',
          'Receive slabs that are in custody already, and grades that the grader does not give',
        ),
    ),
  isOffline: true,
  isPlain: true,
  async run(session, given, options) {
    if (!options.scan)
      throw usage(
        'warehouse receive reads a scanner: add --scan.',
        'For a file or flags: custody warehouse intake',
      )
    return inWarehouseFor(session, options, async (inUnitOfWork) => {
      const { grade, lint = true } = options
      const desk: ScanDesk = { inUnitOfWork, grade, lint, missed: [], scanned: 0, booked: 0, wrong: 0 }
      const begun =
        given === undefined
          ? undefined
          : await begin(desk, [await inUnitOfWork((work) => manifestId(work, given))])
      // A second signal ends the process at once, even while the database does not answer.
      const endedNow = () => ifPossible(() => nameOpen(session, desk, true))
      process.on('exit', endedNow)
      try {
        if (begun) tell(session, begun)
        const isStopped = await answerCodes(session, (code) => answer(desk, code))
        dropUngraded(desk)
        await book(desk)
        report(session, desk)
        if (isStopped) return 'interrupted'
        return desk.wrong > 0 ? 'some_failed' : 'ok'
      } catch (error) {
        await endedEarly(session, desk, error)
        throw error
      } finally {
        process.off('exit', endedNow)
      }
    })
  },
}

function report({ notice }: Session, desk: ScanDesk): void {
  for (const missed of reportMissed(desk)) notice(missed)
  const { booked, wrong } = desk
  const others = wrong > 0 ? `; ${counted(wrong, 'scan needs', 'scans need')} attention` : ''
  notice(`${counted(booked, 'item')} received${others}`)
}

/** Names codes that were answered but not booked, because nobody scans an `ok` again. Also runs if the terminal closes. */
async function endedEarly(session: Session, desk: ScanDesk, error: unknown): Promise<void> {
  // After a `StoreError`, custody has already waited for the database.
  if (!(error instanceof StoreError)) await book(desk).catch(() => {})
  const isInDoubt = error instanceof StoreError && error.fault === 'unknown'
  // If stderr is closed too, the exit code still reports the fault.
  ifPossible(() => {
    report(session, desk)
    nameOpen(session, desk, isInDoubt)
  })
}

function nameOpen({ notice }: Session, { held, ungraded, answering }: ScanDesk, isInDoubt: boolean): void {
  const open = [held?.code, ungraded?.code, answering].filter((code) => code !== undefined)
  const what = isInDoubt ? 'Perhaps not received, see custody intakes ls' : 'Not received, scan again'
  if (open.length > 0) notice(`${what}: ${open.join(', ')}`)
}
