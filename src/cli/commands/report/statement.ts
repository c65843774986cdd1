import { addLink, statementOf } from '../../../domain/items/log-state.ts'
import { counted } from '../../base/counted.ts'
import type { CommandFile, Session } from '../../command.ts'
import { scopeTime } from '../../connection/scope-time.ts'
import { startLongWork } from '../../database/long-work.ts'
import { stdoutName, writeOutputFile } from '../../output/output-file.ts'
import { endOfDay, logUntil } from '../../report/holdings/held-items.ts'

type Options = { at?: string; out: string }

export const command: CommandFile<[Options]> = {
  summary: 'Write a statement of custody that others can verify',
  details:
    'Writes a JSON file: the items in custody at a time, and a SHA-256 chain over the event log up to then. An event that is ' +
    'altered, missing, or repeated changes the chain. The partner verifies it with custody statement verify, the warehouse ' +
    'with custody db check --statement, and anybody with sha256sum and jq: see docs/reports.md.',
  examples: [
    'report statement --at 2026-10-31 --out october.json',
    'report statement --out - | jq .by_status',
  ],
  define: (statement) =>
    statement
      .option('--at <time>', 'A date (its end in UTC), or a time (default: now)')
      .requiredOption('--out <file>', 'File to write; - for stdout'),
  isPlain: true,
  run,
}

async function run(session: Session, { at: given, out }: Options): Promise<void> {
  const { io } = session
  const target = await session.target()
  const now = new Date(await scopeTime(target, io.now())).toISOString()
  const asked = given === undefined ? now : endOfDay(given, '--at', Date.parse(now))
  const reading = startLongWork(io)
  reading.begin('reading the event log')
  const state = await logUntil(target.client, {
    until: asked,
    onRows: reading.onRows,
    onEvent: ({ text }, log) => addLink(log, text()),
  }).finally(reading.clear)
  // An event with an earlier time may still be committing.
  const at = asked < now ? asked : (state.last?.created_at ?? now)
  const statement = statementOf(at, state, await target.holder())
  const text = `${JSON.stringify(statement, null, 2)}\n`
  writeOutputFile(io, out, text, text.slice(0, text.indexOf(',')))
  if (out === stdoutName) return
  io.out.write(
    `${out}: ${counted(statement.total, 'item')} at ${at}, ${counted(state.count, 'event')}, chain ${state.chain}\n`,
  )
}
