import type { WebhookEvent } from '../../../contract/resources/event.ts'
import {
  addEvent,
  addLink,
  type Difference,
  differencesOf,
  emptyLog,
  type LogState,
  statementOf,
} from '../../../domain/items/log-state.ts'
import { counted } from '../../base/counted.ts'
import type { CommandFile, Outcome, Session } from '../../command.ts'
import { scopeTime } from '../../connection/scope-time.ts'
import { readingLog } from '../../database/long-work.ts'
import { mirroredLog } from '../../database/mirror.ts'
import { readStatement } from '../../database/statement.ts'
import { columnsOf, type View } from '../../output/columns.ts'
import { stdoutName, writeOutputFile } from '../../output/output-file.ts'
import { endOfDay, logUntil } from '../../report/holdings/held-items.ts'

type WriteOptions = { at?: string; out: string }

export const statement: CommandFile<[WriteOptions]> = {
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
  run: write,
}

async function write(session: Session, { at: given, out }: WriteOptions): Promise<void> {
  const { io } = session
  const { now, ...holder } = await factsOf(session)
  const asked = given === undefined ? now : endOfDay(given, '--at', Date.parse(now))
  const state = await logOf(session, { until: asked })
  // An event with an earlier time may still be committing, and one with the time of the last may follow.
  const isOfEvent = asked >= now && state.last !== undefined
  const statement = statementOf(isOfEvent ? undefined : asked, state, holder)
  const text = `${JSON.stringify(statement, null, 2)}\n`
  writeOutputFile(io, out, text, text.slice(0, text.indexOf(',')))
  if (out === stdoutName) return
  io.out.write(
    `${out}: ${counted(statement.total, 'item')} at ${statement.at}, ${counted(state.count, 'event')}, chain ${state.chain}\n`,
  )
}

type VerifyOptions = { mirror?: string }

const differences: View = {
  columns: columnsOf<Difference>(
    { name: 'fact', kind: 'id' },
    { name: 'statement', kind: 'long' },
    { name: 'log', kind: 'long' },
  ),
}

export const verify: CommandFile<[string, VerifyOptions]> = {
  summary: 'Compare a statement of custody with the event log',
  details:
    'Computes the statement again from the log up to its last event and lists every fact that differs. Exit 0: all agree; exit ' +
    '9: some do not. --mirror reads a file of custody sync instead of the service.',
  examples: ['statement verify october.json', 'statement verify october.json --mirror custody-mirror.db'],
  define: (verify) =>
    verify
      .argument('<file>', 'File that report statement wrote; - for stdin')
      .option('--mirror <file>', 'Read the log from this file of custody sync'),
  view: () => differences,
  run: compare,
}

async function compare(session: Session, file: string, { mirror }: VerifyOptions): Promise<Outcome> {
  const statement = await readStatement(session.io, file)
  const lastId = statement.events.last_id
  // A mirror does not know its service's clock.
  const differences =
    mirror === undefined
      ? differencesOf(statement, await logOf(session, { lastId }), await factsOf(session))
      : differencesOf(statement, logIn(session, mirror, lastId))
  const printer = await session.printer()
  if (differences.length > 0 || printer.isJson) await printer.all(differences)
  const { total, events, at, as_of } = statement
  if (differences.length > 0) {
    session.notice(`${file}: ${counted(differences.length, 'fact differs', 'facts differ')} from the log`)
    if (lastId !== null && differences.some(({ fact }) => fact === 'events.last_id'))
      session.notice(
        "The log does not contain the statement's last event. Is the statement from another partner or environment, or were the data restored from an older backup?",
      )
    return 'some_failed'
  }
  if (lastId === null) session.notice(`${file} has no events: it agrees with every log that was empty then`)
  const asOf = as_of === 'last_event' ? ', the time of its last event' : ''
  session.notice(
    `${file}: ${counted(total, 'item')} at ${at}${asOf}; all ${counted(events.count, 'event')} agree`,
  )
}

async function factsOf(session: Session) {
  const { holder } = await session.target()
  return { ...(await holder()), now: new Date(await scopeTime(session)).toISOString() }
}

async function logOf(
  session: Session,
  end: { until: string } | { lastId: string | null },
): Promise<LogState> {
  const { client } = await session.target()
  const onEvent = ({ text }: { text: () => string }, state: LogState) => addLink(state, text())
  return readingLog(session.io, (onRows) => logUntil(client, { ...end, onRows, onEvent }))
}

function logIn({ io }: Session, file: string, lastId: string | null): LogState {
  const state = emptyLog()
  for (const text of mirroredLog(io, file)) {
    if (!addEvent(state, JSON.parse(text) as WebhookEvent, lastId)) return state
    addLink(state, text)
  }
  return state
}
