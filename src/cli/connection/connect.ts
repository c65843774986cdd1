import type { Io } from '../base/io.ts'
import { maxWaitMs } from '../base/times.ts'
import { isMissingFile, noSuchFile } from './database-place.ts'
import { inWords, openTarget, placeOf } from './embedded-target.ts'
import type { EmbeddedSettings, TargetOptions } from './target.ts'
import { isOwn, noticeUnseen, rejectUnseen, targetFlags, targetSettings } from './target-settings.ts'
import type { Target } from './target-type.ts'
import { traced } from './trace.ts'

type ConnectOptions = TargetOptions & { debug?: boolean }

/** Undefined: a missing file is not created. */
export type MakeNew = 'empty' | 'samples' | undefined

/** The composition root. Creates the user's sandbox only if someone sees it, a named file only for writing. Throws `CliError`. */
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
    // Waits as long for another process that has locked the database.
    return openTarget({ ...place, busyMs: maxWaitMs(options.maxWait) }, () => io.now(), trace)
  })
}

/** Whether to add the sample data. Throws if the database must not be created, because custody adds samples only where somebody sees it. */
function isFilled(io: Io, settings: EmbeddedSettings, { seed }: ConnectOptions, makeNew: MakeNew): boolean {
  if (makeNew === 'samples') return true
  rejectUnseen(io, settings, targetFlags)
  // A read creates nothing, except the user's own sandbox on first use.
  if (makeNew === undefined && (seed === false || !isOwn(settings))) throw noSuchFile(settings.database)
  return isOwn(settings) && seed !== false
}
