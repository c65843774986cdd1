import type { Io } from '../base/io.ts'
import { maxWaitMs } from '../base/times.ts'
import { isMissingFile } from './database-place.ts'
import { inWords, openTarget, placeOf } from './embedded-target.ts'
import { noSuchFile } from './missing-data-error.ts'
import type { EmbeddedSettings, TargetOptions } from './target.ts'
import { isOwn, noticeUnseen, refuseUnseen, targetFlags, targetSettings } from './target-settings.ts'
import type { Target } from './target-type.ts'
import { traced } from './trace.ts'

type ConnectOptions = TargetOptions & { debug?: boolean }

/** How to make a missing database file: `empty`, or with `samples`; undefined: not at all. */
export type MakeNew = 'empty' | 'samples' | undefined

/**
 * Reaches the target that flags, environment and profiles name; the composition root. The user's own sandbox is made and
 * filled on first use where somebody sees it; a file that is named is made only to be written to. Throws `CliError` where it
 * cannot be used, or where what an address names has no data of ours.
 */
export async function connect(
  io: Io,
  options: ConnectOptions,
  notice: (text: string) => void,
  makeNew?: MakeNew,
): Promise<Target> {
  const settings = targetSettings(io, options)
  const trace = options.debug ? traced(io) : undefined
  if (settings.kind === 'service') {
    const { connectService } = await import('./connect-service.ts')
    return connectService(io, settings, { trace, maxWait: options.maxWait, notice })
  }
  const place = placeOf(settings)
  return inWords(async () => {
    if (isMissingFile(place.file)) {
      const withSamples = isFilled(io, settings, options, makeNew)
      const { makeDatabase } = await import('./make-database.ts')
      await makeDatabase(place, withSamples, notice)
    } else noticeUnseen(io, settings, notice)
    // Another process that has locked the database is waited for as long.
    return openTarget({ ...place, busyMs: maxWaitMs(options.maxWait) }, () => io.now(), trace)
  })
}

/** Whether a new database gets the sample data. Throws if it is not to be made: data are never invented unseen. */
function isFilled(io: Io, settings: EmbeddedSettings, { seed }: ConnectOptions, makeNew: MakeNew): boolean {
  if (makeNew === 'samples') return true
  refuseUnseen(io, settings, targetFlags)
  // Nothing is made by a read, but the sample data on the first use of all.
  if (makeNew === undefined && (seed === false || !isOwn(settings))) throw noSuchFile(settings)
  return isOwn(settings) && seed !== false
}
