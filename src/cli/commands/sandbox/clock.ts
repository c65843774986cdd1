import type { Client } from '../../../client/client.ts'
import { closeGraceDaysDefault } from '../../../contract/limits.ts'
import type { ResultOf } from '../../../contract/operations.ts'
import { rejectTwo, usage } from '../../base/cli-error.ts'
import { counted } from '../../base/counted.ts'
import { afterDone } from '../../base/failure.ts'
import { durationSeconds, isAge, pointInTime } from '../../base/times.ts'
import type { CommandFile } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { endOfLog, eventPages } from '../../events/event-pages.ts'
import { eventNaming, subjectOf } from '../../events/event-view.ts'
import { columnsOf, type View } from '../../output/columns.ts'

type Options = IdempotentOptions & { advance?: string; to?: string }

export const command: CommandFile<[Options]> = {
  summary: "Show the sandbox's clock, or move it forward",
  details: `Everything due by then happens: a manifest closes by itself ${closeGraceDaysDefault} days after its arrival window ends. stderr says what happened: "closed PO-101: 2 missing".`,
  examples: ['sandbox clock', 'sandbox clock --advance 7d', 'sandbox clock --to 2026-12-24T09:00:00Z'],
  define: (clock) =>
    idempotent(clock)
      .option('--advance <duration>', 'Move the clock forward, by 90s, 15m, 24h, or 7d')
      .option('--to <time>', 'Move forward to a time'),
  view: () => view,
  async run(session, { advance, to, idempotencyKey }) {
    rejectTwo({ '--advance': advance, '--to': to })
    if (isAge(to ?? '')) throw usage(`--to: "${to}" is an age, and so in the past.`, `Use --advance ${to}.`)
    const printer = await session.printer()
    if (advance === undefined && to === undefined) {
      const { data } = await (await session.target()).client.getClock({})
      return printer.one(data)
    }
    const body =
      advance === undefined
        ? { to: pointInTime(to ?? '', '--to') }
        : { seconds: durationSeconds(advance, '--advance') }
    const { client } = await session.targetToWrite()
    const before = await endOfLog(client, 1)
    const { data } = await client.advanceClock({ body, idempotencyKey })
    await printer.one(data)
    if (!before) return
    try {
      for (const text of await happened(client, before.after)) session.notice(text)
    } catch (error) {
      afterDone(
        error,
        session.notice,
        (why) => `The clock has moved. The events since cannot be read${why} See: custody events ls`,
      )
    }
  },
}

const view: View = {
  columns: columnsOf<ResultOf<'getClock'>>(
    { name: 'now', kind: 'time' },
    { name: 'offset_seconds', title: 'Seconds ahead of real time' },
  ),
}

async function happened(client: Client, after: string | undefined): Promise<string[]> {
  const named = eventNaming(client)
  const closed: string[] = []
  const others = new Map<string, number>()
  for await (const { events } of eventPages(client, { after }))
    for (const event of await named(events.map((logged) => logged.event))) {
      const { type, data } = event
      if (type === 'manifest.reconciliation.completed') {
        const { missing, condition_mismatch: flagged } = data.totals
        closed.push(
          `closed ${subjectOf(event)}: ${missing} missing${flagged === 0 ? '' : `, ${flagged} flagged`}`,
        )
      } else others.set(type, (others.get(type) ?? 0) + 1)
    }
  const rest = [...others].map(([type, count]) => `${counted(count, 'event')} ${type}`)
  return closed.length + rest.length === 0 ? ['Nothing was due.'] : [...closed, ...rest]
}
