import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { runtime } from '../../runtime/runtime.ts'
import { CliError } from '../base/cli-error.ts'
import { withDraft } from '../base/drafts.ts'
import { makeFolder, syncFolder } from '../base/durable-file.ts'
import { sandboxPartner } from './config-file.ts'
import { openTarget, type Place } from './embedded-target.ts'

/** Moves it into place when complete, so that neither a crash nor a second process leaves half a database. */
export async function makeDatabase(
  place: Place,
  isFilled: boolean,
  notice: (text: string) => void,
  replace?: (draft: string) => Promise<true>,
): Promise<void> {
  const { file, partner, environment } = place
  const isSeeded = isFilled && environment === 'sandbox'
  makeFolder(dirname(file))
  await withDraft(file, async (draft) => {
    const seeding = isSeeded ? await import('../seed/seed.ts') : undefined
    const now = runtime.clock()
    const time = { now: seeding === undefined ? now : seeding.beforeSeed(now) }
    const { makePrivate, moveToNewName } = await import('../../store/sqlite/sqlite-file.ts')
    makePrivate(draft, true)
    const target = await openTarget({ ...place, file: draft }, () => time.now)
    const setClock = (past: number): void => {
      time.now = past
    }
    await seeding?.seed(target.client, async () => now, setClock)
    await target.close()
    rejectUnfinished(draft, file)
    const isOurs = (await replace?.(draft)) ?? moveToNewName(draft, file)
    syncFolder(dirname(file))
    const isOrdinary = partner === sandboxPartner && environment === 'sandbox'
    const what = isOrdinary ? 'a sandbox' : `a database of ${partner} (${environment})`
    if (isOurs) notice(`Created ${what} ${isSeeded ? 'with' : 'without'} sample data: ${file}`)
  })
}

/** If the log was not merged into the draft, as on a full disk, the move would leave it behind. */
function rejectUnfinished(draft: string, file: string): void {
  if (!existsSync(`${draft}-wal`)) return
  throw new CliError('unreachable', `Cannot create ${file}: the disk is full.`, {
    hint: 'Free some space, or name another database file with --database.',
  })
}
