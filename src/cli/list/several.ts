import type { Command } from 'commander'
import type { Answer, Client } from '../../client/client.ts'
import { confirm, confirmable } from '../ask/ask.ts'
import { type Ending, usage } from '../base/cli-error.ts'
import { adviseOnConflict, failureOf, missingHint } from '../base/failure.ts'
import { stdinChunks } from '../base/input-file.ts'
import { quoted } from '../base/shell-word.ts'
import { visible } from '../base/terminal-text.ts'
import type { CommandFile, Outcome, Session, Words } from '../command.ts'
import { type IdempotentOptions, idempotent } from '../connection/idempotency.ts'
import type { View } from '../output/columns.ts'

export const idsOrReferences = 'Ids or references; - for lines of stdin'

/** `isMany`: prints a list, even if stdin has only one line. */
type Named = { names: readonly string[]; isMany: boolean }

export function oneOrMany(given: readonly string[] | undefined, record: View, list: View): View {
  return isMany(given) ? list : record
}

export function isMany(given: readonly string[] = []): boolean {
  return given.length > 1 || given[0] === '-'
}

/** Reads lines of stdin for `-`. Throws `usage` if there are no names. */
export async function namesFrom({ io }: Pick<Session, 'io'>, given: readonly string[]): Promise<Named> {
  const names: string[] = []
  for (const name of given) names.push(...(name === '-' ? await linesOf(io) : [name]))
  if (names.length === 0) throw usage('Standard input is empty.', 'Write one name per line.')
  return { names: [...new Set(names)], isMany: isMany(given) }
}

async function linesOf(io: Session['io']): Promise<string[]> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stdinChunks(io)) text += decoder.decode(chunk, { stream: true })
  return (text + decoder.decode()).split('\n').flatMap((line) => line.trim() || [])
}

type Shown<T, Options> = {
  record: View
  list: View
  define: (command: Command) => Command
  /** `isWhole`: as on the wire, without what a table adds. */
  read: (client: Client, name: string, options: Options, isWhole: boolean) => Promise<T>
}

export function showCommand<T, Options = object>(
  { record, list, define, read }: Shown<T, Options>,
  words: Words,
): CommandFile<[string[], Options]> {
  return {
    ...words,
    define,
    view: (_format, given) => oneOrMany(given, record, list),
    async run(session, given, options) {
      const named = await namesFrom(session, given)
      const { client } = await session.target()
      const { isWhole } = await session.printer()
      return forEachNamed(session, named, (name) => read(client, name, options, isWhole))
    },
  }
}

/** If one of several fails, prints a line on stderr and ends in `some_failed`; throws a fault that would end all of them. */
export function forEachNamed<T>(
  session: Session,
  named: Named,
  act: (name: string) => Promise<T>,
  isList = false,
): Promise<Outcome> {
  return listEachNamed(session, named, async (name) => [await act(name)], isList)
}

/** Like `forEachNamed`, for names that may stand for several. */
export async function listEachNamed<T>(
  session: Session,
  named: Named,
  act: (name: string) => Promise<readonly T[]>,
  isList = false,
): Promise<Outcome> {
  const printer = await session.printer()
  const done: T[] = []
  try {
    return await eachNamed(session, named, async (name) => {
      done.push(...(await act(name)))
    })
  } finally {
    if (named.isMany || done.length > 1 || (isList && done.length > 0)) await printer.all(done)
    else if (done.length > 0) await printer.one(done[0])
  }
}

/** For a command that prints nothing, or prints by itself. */
export async function eachNamed(
  session: Session,
  { names, isMany }: Named,
  act: (name: string) => Promise<void>,
): Promise<Outcome> {
  let failed = 0
  for (const name of names) {
    try {
      await act(name)
    } catch (error) {
      const { ending, message, hint = missingHint(error, session.commandName) } = failureOf(error)
      if (!isMany || endsAll.has(ending)) throw error
      failed += 1
      const named = message.startsWith(`${name} `) ? message : `${name}: ${message}`
      session.warn(visible([named, hint].filter(Boolean).join(' ')))
    }
  }
  return failed > 0 ? 'some_failed' : 'ok'
}

const endsAll: ReadonlySet<Ending> = new Set(['interrupted', 'internal', 'key_refused', 'unreachable'])

export function inAll({ names }: Named, noun: string): string {
  return names.length === 1 ? `the ${noun} ${names[0]}` : `${names.length} ${noun}s`
}

type Cancelled<T> = {
  noun: 'fulfillment' | 'transfer'
  record: View
  list: View
  find: (client: Client, name: string) => Promise<string>
  read: (client: Client, id: string) => Promise<Answer<T>>
  cancel: (client: Client, id: string, idempotencyKey: string | undefined) => Promise<Answer<T>>
  /** Throws the conflict that the service would answer. Leaves a status that this version does not know to the service. */
  rejectLate: (thing: T) => void
}

export function cancelCommand<T>(
  { noun, record, list, find, read, cancel, rejectLate }: Cancelled<T>,
  words: Words,
): CommandFile<[string[], IdempotentOptions]> {
  return {
    ...words,
    define: (command) => idempotent(confirmable(command)).argument(`<${noun}...>`, idsOrReferences),
    view: (_format, given) => oneOrMany(given, record, list),
    run,
  }

  async function run(
    session: Session,
    given: string[],
    { idempotencyKey }: IdempotentOptions,
  ): Promise<Outcome> {
    const named = await namesFrom(session, given)
    const { client } = await session.target()
    const advised = (name: string) => adviseOnConflict(`See: custody ${noun}s show ${quoted(name)}`)
    const ids = new Map<string, string>()
    // Do not ask about a cancellation that is impossible.
    const [only] = named.isMany || session.options.yes ? [] : named.names
    if (only !== undefined) {
      const id = await find(client, only)
      ids.set(only, id)
      await read(client, id)
        .then(({ data }) => rejectLate(data))
        .catch(advised(only))
    }
    await confirm(session, `Cancel ${inAll(named, noun)}?`, session.targetToWrite)
    return forEachNamed(session, named, async (name) => {
      const id = ids.get(name) ?? (await find(client, name))
      return (await cancel(client, id, idempotencyKey).catch(advised(name))).data
    })
  }
}
