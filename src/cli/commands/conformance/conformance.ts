import type { Command } from 'commander'
import type { Finding } from '../../../conformance/run.ts'
import type { Subject } from '../../../conformance/subject.ts'
import { confirm, confirmable } from '../../ask/ask.ts'
import { CliError, usage } from '../../base/cli-error.ts'
import { counted } from '../../base/counted.ts'
import { rejectedKey } from '../../base/rejected-secrets.ts'
import type { Style } from '../../base/style.ts'
import { visible } from '../../base/terminal-text.ts'
import type { LoneCommand, Outcome, Session } from '../../command.ts'
import { targetSettings } from '../../connection/target-settings.ts'
import { columnsOf, type View } from '../../output/columns.ts'

type Options = { baseUrl?: string; profile?: string; only?: string }

export const command: LoneCommand<[Options]> = {
  details:
    "Creates its own data, tests each clause, and validates every answer against the service's OpenAPI document. By default it tests this installation on a temporary database. With --base-url or --profile it asks first, creates its data in that service's sandbox, removes what it can, and lists what remains. Two more keys allow more checks: a second partner's in CUSTODY_SECOND_API_KEY, and one of the other environment in CUSTODY_OTHER_ENVIRONMENT_API_KEY. Exits 9 if a clause is not met.",
  examples: [
    'conformance',
    'conformance --base-url http://127.0.0.1:8080 --yes',
    'conformance --only 4.4,D5',
  ],
  define,
  isOffline: true,
  view: () => view,
  run,
}

const view: View = {
  columns: columnsOf<Finding>('verdict', 'clause', 'text', 'seen'),
}

function define(conformance: Command): void {
  conformance.option('--base-url <url>', 'Use the service at this address')
  conformance.option('--profile <name>', 'Test the service of this profile')
  conformance.addOption(rejectedKey())
  confirmable(conformance)
  conformance.option('--only <clauses>', 'Only clauses with these prefixes, as in 4.4,D5')
}

async function run(session: Session, options: Options): Promise<Outcome> {
  const { entries } = await import('../../../conformance/entries.ts')
  const wanted = options.only?.split(',').map((start) => start.trim())
  const chosen = entries.filter(({ clause }) => wanted?.some((start) => isBelow(clause, start)) ?? true)
  if (chosen.length === 0) throw usage(`--only: no clause starts with ${options.only}.`)
  const { subject, label, close } = await opened(session, options)
  session.notice(`Testing ${label}`)
  try {
    if (!session.options.debug) return await examine(session, subject, chosen)
    const { traced } = await import('../../connection/trace.ts')
    const transport = traced(session.io)(subject.transport)
    return await examine(session, { ...subject, transport }, chosen)
  } finally {
    await close()
  }
}

type Opened = { subject: Subject; label: string; close(): Promise<void> }
type Entries = Parameters<typeof import('../../../conformance/run.ts').runConformance>[1]

/** `4.1` selects 4.1-1, but not 4.10-1. */
function isBelow(clause: string, start: string): boolean {
  return clause === start || clause.startsWith(`${start}-`) || clause.startsWith(`${start}.`)
}

/** Tests a service only if the command line names it, because a run leaves data behind. */
async function opened(session: Session, options: Options): Promise<Opened> {
  const { io } = session
  const isNamed = options.baseUrl !== undefined || options.profile !== undefined
  const settings = isNamed ? targetSettings(io, options) : undefined
  if (settings?.kind !== 'service') {
    const { openOwnSubject } = await import('./own-subject.ts')
    return { ...(await openOwnSubject()), label: 'this installation, on a temporary database' }
  }
  const { httpSubject } = await import('../../../conformance/http-subject.ts')
  const { keyFor } = await import('../../connection/connect-service.ts')
  const { CUSTODY_SECOND_API_KEY, CUSTODY_OTHER_ENVIRONMENT_API_KEY } = io.env
  const { trailOf } = await import('../../../conformance/run.ts')
  const { subject, takeBack } = trailOf(
    httpSubject({
      baseUrl: settings.baseUrl.value,
      key: keyFor(io, settings),
      strangerKey: CUSTODY_SECOND_API_KEY || undefined,
      otherEnvironmentKey: CUSTODY_OTHER_ENVIRONMENT_API_KEY || undefined,
    }),
  )
  const label = settings.baseUrl.value
  await confirm(
    session,
    `This creates products, manifests, items, and orders at ${label} and moves its clock; not everything can be undone. Continue?`,
  )
  return {
    subject,
    label,
    async close() {
      const { undone, left } = await takeBack()
      const isUsed = Object.keys({ ...undone, ...left }).length > 0
      if (isUsed) session.notice(`Removed: ${listOf(undone)}. Left: ${listOf(left)}.`)
    },
  }
}

function listOf(counts: Readonly<Record<string, number>>): string {
  return (
    Object.entries(counts)
      .map(([kind, count]) => counted(count, kind))
      .join(', ') || 'nothing'
  )
}

async function examine(session: Session, subject: Subject, entries: Entries): Promise<Outcome> {
  const { runConformance } = await import('../../../conformance/run.ts')
  const { NotSandbox } = await import('../../../conformance/service.ts')
  const printer = await session.printer()
  const writer = printer.format === 'table' ? undefined : printer.list()
  const tell = async (finding: Finding): Promise<void> => {
    if (writer) await writer.push([finding])
    else printer.text(await linesOf(finding, printer.style))
  }
  const findings = await runConformance(subject, entries, tell).catch((error: unknown) => {
    throw error instanceof NotSandbox ? new CliError('usage', error.message) : error
  })
  await writer?.end()
  const count = (verdict: Finding['verdict']): number =>
    findings.filter((finding) => finding.verdict === verdict).length
  session.notice(`${count('ok')} ok, ${count('FAILED')} failed, ${count('not seen')} not seen`)
  return count('FAILED') > 0 ? 'some_failed' : 'ok'
}

/** One finding at a time, so its columns have a fixed width. */
async function linesOf({ verdict, clause, text, seen }: Finding, style: Style): Promise<string> {
  const { aligned } = await import('../../output/table.ts')
  const paint = { ok: style.green, FAILED: style.red, 'not seen': style.yellow }[verdict]
  const rows = [[paint(verdict), clause, visible(text)]]
  if (seen !== '') rows.push(['', '', style.dim(visible(seen))])
  return aligned(rows, { widths: ['not seen'.length, 6] })
}
