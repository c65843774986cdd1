import { Rejection } from '../../../../domain/rejection.ts'
import type { IssuedKey } from '../../../../engine/partners.ts'
import { CliError } from '../../../base/cli-error.ts'
import type { Session } from '../../../command.ts'
import { chooseColumns } from '../../../output/choose-columns.ts'
import { columnsOf, type View } from '../../../output/columns.ts'
import { sampleMark } from '../../../output/shown-once.ts'

type Issued = Pick<IssuedKey, 'key'> & Pick<IssuedKey['row'], 'id' | 'created_at' | 'expires_at'>

export const issuedKey: View = {
  columns: columnsOf<Issued>(
    { name: 'key', kind: 'id' },
    { name: 'id', kind: 'id' },
    { name: 'created_at', kind: 'time' },
    { name: 'expires_at', kind: 'time' },
  ),
  shownOnce: {
    field: 'key',
    sample: {
      key: sampleMark,
      id: '01f6f2e8-6d5b-7cc1-a1b3-0f4d1a1c5d11',
      created_at: '2026-01-01T00:00:00.000Z',
      expires_at: null,
    },
  },
}

/** The key is never shown again. A pipe gets the key alone, for a file or a secret store, unless --columns is given. */
export async function printIssued(session: Session, { key, row }: IssuedKey): Promise<void> {
  const printer = await session.printer()
  const { id, created_at, expires_at } = row
  const { columns } = session.options
  const isAlone =
    columns === undefined || chooseColumns(issuedKey, columns).every(({ name }) => name === 'key')
  if (printer.format === 'tsv' && isAlone) printer.text(`${key}\n`)
  else await printer.one({ key, id, created_at, expires_at })
  session.notice('Save the key now: custody does not store it and cannot show it again.')
}

export function sayNoPartner(name: string | undefined): (error: unknown) => never {
  return sayNotFound(`partner named ${name}`, 'See: custody admin partners ls')
}

/** An operator of the database may know what exists, so the message says what was not found. */
export function sayNotFound(what: string, hint: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof Rejection && error.code === 'not_found') {
      throw new CliError('not_found', `There is no ${what}.`, { hint })
    }
    throw error
  }
}
