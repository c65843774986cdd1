import { usage } from '../../base/cli-error.ts'
import { pointInTime, spanSeconds } from '../../base/times.ts'
import type { CommandFile, Session } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import type { View } from '../../output/columns.ts'

type Options = IdempotentOptions & { advance?: string; to?: string }

export const command: CommandFile<[Options]> = {
  summary: "Show the sandbox's clock, or move it forward",
  details: 'Everything due by then happens: manifests whose window has passed are closed.',
  examples: ['sandbox clock', 'sandbox clock --advance 7d', 'sandbox clock --to 2026-12-24T09:00:00Z'],
  define: (clock) =>
    idempotent(clock)
      .option('--advance <span>', 'forward by 90s, 15m, 24h, 7d')
      .option('--to <time>', 'Move forward to a time'),
  view: () => view,
  run,
}

const view: View = {
  columns: [
    { name: 'now', kind: 'time' },
    { name: 'offset_seconds', title: 'ahead by seconds' },
  ],
}

async function run(session: Session, { advance, to, idempotencyKey }: Options): Promise<void> {
  if (advance !== undefined && to !== undefined) throw usage('--advance and --to exclude each other.')
  const printer = await session.printer()
  if (advance === undefined && to === undefined) {
    const { data } = await (await session.target()).client.getClock({})
    return printer.one(data)
  }
  const body =
    advance === undefined
      ? { to: pointInTime(to ?? '', '--to', session.io.now()) }
      : { seconds: spanSeconds(advance, '--advance') }
  const { client } = await session.targetToWrite()
  await printer.one((await client.advanceClock({ body, idempotencyKey })).data)
}
