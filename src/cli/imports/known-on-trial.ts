import type { CsvRowError } from '../../contract/resources/error.ts'
import { CliError } from '../base/cli-error.ts'
import type { Session } from '../command.ts'
import { isMissingFile } from '../connection/database-place.ts'
import { targetSettings } from '../connection/target-settings.ts'
import type { Target } from '../connection/target-type.ts'
import { unansweredIn } from './earlier/unanswered-orders.ts'
import { importsFolder } from './journal/journal.ts'
import { countInRanges, isInRanges } from './journal/row-ranges.ts'
import { knownRows } from './known-rows.ts'
import type { Sending } from './send-chunk.ts'

/** Rows that were ordered before, for --dry-run: only an existing target is asked; none is created for it. */
export async function knownOnTrial(
  session: Session,
  trial: Omit<Sending, 'client'>,
  today: string,
): Promise<{ same: number; changed: CsvRowError[]; isKnown: (row: number) => boolean }> {
  const target = await targetThere(session)
  if (target === undefined) return { same: 0, changed: [], isKnown: () => false }
  const sending = { ...trial, client: target.client }
  const comparing = { folder: importsFolder(session.io.env), target: target.identity, today }
  const waiting = unansweredIn(comparing.folder, { target: target.identity, kind: trial.kind.name })
  for (const { head } of waiting)
    session.notice(
      `An import of ${head.file} has sent orders that were not answered: before this file is sent, that is found out.`,
    )
  const found = [...(await knownRows(session, sending, comparing)).values()]
  const changed = found.flatMap(({ changed }) => changed)
  const same = found.map(({ same }) => same).join(',')
  const [isSame, isChanged] = [isInRanges(same), new Set(changed.map(({ row }) => row))]
  return { same: countInRanges(same), changed, isKnown: (row) => isSame(row) || isChanged.has(row) }
}

async function targetThere(session: Session): Promise<Target | undefined> {
  try {
    const settings = targetSettings(session.io, session.options)
    if (settings.kind === 'embedded' && isMissingFile(settings.database.value)) return undefined
    return await session.target()
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    session.notice(`Not compared with earlier orders: ${error.message}`)
    return undefined
  }
}
