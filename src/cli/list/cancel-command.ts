import type { Answer, Client } from '../../client/client.ts'
import { confirm, confirmable } from '../ask/ask.ts'
import { adviseOnConflict } from '../base/advised.ts'
import { quoted } from '../base/shell-word.ts'
import type { CommandFile, Outcome, Session, Words } from '../command.ts'
import { type IdempotentOptions, idempotent } from '../connection/idempotency.ts'
import type { View } from '../output/columns.ts'
import { forEachNamed, idsOrReferences, inAll, namesFrom, oneOrMany } from './several.ts'

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
