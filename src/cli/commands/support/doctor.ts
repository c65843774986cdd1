import { join } from 'node:path'
import { namesIn } from '../../base/drafts.ts'
import { ifPossible } from '../../base/system-fault.ts'
import type { LoneCommand, Outcome, Session } from '../../command.ts'
import { noConfig, readProfiles } from '../../connection/config-file.ts'
import { configOf, stateFolder, targetSettings } from '../../connection/target-settings.ts'
import { type Check, checkLines, checkList, checkRecord, endingOf } from '../../doctor/check.ts'
import { checkTarget } from '../../doctor/check-target.ts'

export const command: LoneCommand<[]> = {
  details: 'Changes nothing. Exits with the code of the first failed check (see: custody help exit-codes).',
  examples: ['doctor', 'doctor --profile northgate', 'doctor --database custody.db --json'],
  view: () => checkList,
  run,
}

async function run(session: Session): Promise<Outcome> {
  const { io, options } = session
  const found = await checkTarget(io, targetSettings(io, options), options)
  const checks = [...found.checks, ...unreadableProfiles(io), ...oldJournals(io)]
  const printer = await session.printer()
  if (printer.format === 'table' && session.options.columns === undefined)
    printer.text(await checkLines(checks, printer.style))
  else await printer.all(checks.map(checkRecord))
  const failed = checks.filter(({ ending }) => ending !== undefined).length
  if (failed > 0) session.notice(`${failed} of ${checks.length} checks failed`)
  return endingOf(checks)
}

function unreadableProfiles({ env }: Session['io']): Check[] {
  return readProfiles(ifPossible(() => configOf(env)) ?? noConfig).flatMap(({ fault: detail }) =>
    detail === undefined ? [] : [{ check: 'profiles', detail, isWarning: true }],
  )
}

/** In these folders, older versions recorded what they had sent. */
function oldJournals({ env }: Session['io']): Check[] {
  const folders = ifPossible(() => ['imports', 'manifests'].map((name) => join(stateFolder(env), name)))
  const used = folders?.filter((folder) => namesIn(folder).length > 0) ?? []
  if (used.length === 0) return []
  const detail = `journals of earlier versions are no longer used: you may delete ${used.join(' and ')}`
  return [{ check: 'state', detail, isWarning: true }]
}
