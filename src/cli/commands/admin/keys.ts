import { Option } from 'commander'
import { type Environment, environments } from '../../../contract/enums.ts'
import { dayMs, keyGraceMaxMs } from '../../../contract/limits.ts'
import { notFound, Rejection } from '../../../domain/rejection.ts'
import { isSameText } from '../../../domain/unicode-forms.ts'
import {
  createKey,
  endKey,
  findKeyNamed,
  graceDefaultMs,
  type IssuedKey,
  rotateKey,
} from '../../../engine/partners.ts'
import { runtime } from '../../../runtime/runtime.ts'
import { type KeyHolder, listKeyHolders } from '../../../store/tables/keys.ts'
import { findPartner } from '../../../store/tables/scopes.ts'
import { confirm, confirmable } from '../../ask/ask.ts'
import { CliError, usage } from '../../base/cli-error.ts'
import { durationSeconds, noticedTime } from '../../base/times.ts'
import type { CommandFile, Outcome, Session } from '../../command.ts'
import { type DatabaseOptions, databaseOption, noticeWriting, withDatabase } from '../../database/database.ts'
import { eachNamed, inAll, namesFrom } from '../../list/several.ts'
import { chooseColumns, sampleMark } from '../../output/choose-columns.ts'
import { columnsOf, type View } from '../../output/columns.ts'

type CreateOptions = DatabaseOptions & { environment: Environment; expiresIn?: string }

export const create: CommandFile<[string, CreateOptions]> = {
  summary: 'Create an API key for a partner and show it once',
  examples: [
    'admin keys create "Northgate Cards"',
    'admin keys create "Northgate Cards" --environment production --expires-in 90d | install -m 600 /dev/stdin key.txt',
  ],
  define: (create) =>
    databaseOption(create.argument('<partner>', 'Partner name'))
      .addOption(
        new Option('--environment <name>', 'Environment the key is for')
          .choices(environments)
          .default('sandbox'),
      )
      .option('--expires-in <duration>', 'Lifetime, as in 90d (default: until it is revoked)'),
  isOffline: true,
  view: () => issuedKey,
  async run(session, partner, options) {
    const expiresAt = expiryOf(session, options.expiresIn)
    const { environment } = options
    const issued = await withDatabase(session, options, (db, place) => {
      noticeWriting(session, place, environment)
      return db
        .write((tx) => createKey(tx, runtime, partner, environment, expiresAt))
        .catch(sayNoPartner(partner))
    })
    await printIssued(session, issued)
  },
}

function expiryOf({ io }: Session, duration: string | undefined): string | null {
  if (duration === undefined) return null
  const seconds = durationSeconds(duration, '--expires-in')
  if (seconds === 0)
    throw usage('--expires-in: 0 would end the key at once.', 'Give it as 90d, or leave it out.')
  return new Date(io.now() + seconds * 1000).toISOString()
}

type ListOptions = DatabaseOptions & { all?: boolean }

export const ls: CommandFile<[string | undefined, ListOptions]> = {
  summary: 'List API keys with their partner and last use',
  details: '--all includes revoked and expired keys. Last use is updated about once a minute.',
  examples: ['admin keys ls', 'admin keys ls "Northgate Cards" --all'],
  define: (ls) =>
    databaseOption(ls.argument('[partner]', 'Only keys of this partner')).option(
      '--all',
      'Include revoked and expired keys',
    ),
  isOffline: true,
  view: () => view,
  run: list,
}

type KeyRow = KeyHolder & { partner: string; status: string }

const view: View = {
  columns: columnsOf<KeyRow>(
    { name: 'prefix', kind: 'id' },
    'partner',
    'environment',
    'status',
    'created_at',
    'expires_at',
    'last_used_at',
    { name: 'id', kind: 'id' },
  ),
}

async function list(session: Session, partner: string | undefined, options: ListOptions): Promise<void> {
  const now = new Date(session.io.now()).toISOString()
  const keys = await withDatabase(session, options, (db) =>
    db
      .read(async (tx) => {
        if (partner !== undefined && !(await findPartner(tx, partner))) throw notFound()
        return listKeyHolders(tx)
      })
      .catch(sayNoPartner(partner)),
  )
  const rows = keys
    .filter((key) => partner === undefined || isSameText(key.partner_name, partner))
    .map((key): KeyRow => ({ ...key, partner: key.partner_name, status: statusOf(key, now) }))
    .filter(({ status }) => options.all || status === 'live')
  await (await session.printer()).all(rows)
  if (rows.length === 0) session.notice('none found')
}

function statusOf({ revoked_at, expires_at }: KeyHolder, now: string): string {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at <= now ? 'expired' : 'live'
}

type RotateOptions = DatabaseOptions & { grace?: string }

export const rotate: CommandFile<[string, RotateOptions]> = {
  summary: 'Replace a key; the old one stays valid for a while',
  examples: ['admin keys rotate sk_live_Ab12Cd', 'admin keys rotate sk_live_Ab12Cd --grace 0'],
  define: (rotate) =>
    databaseOption(rotate.argument('<key>', 'Prefix or id, as ls shows it')).option(
      '--grace <duration>',
      `How long the old key stays valid, 0 to ${keyGraceMaxMs / dayMs}d (default: ${graceDefaultMs / 3_600_000}h)`,
    ),
  isOffline: true,
  view: () => issuedKey,
  run: replace,
}

async function replace(session: Session, name: string, options: RotateOptions): Promise<void> {
  const graceMs = graceOf(options.grace)
  const issued = await withDatabase(session, options, async (db, place) => {
    const notFound = sayNotFound(`key ${name}`, 'See: custody admin keys ls')
    const { environment } = await db.read((tx) => findKeyNamed(tx, name)).catch(notFound)
    noticeWriting(session, place, environment)
    return db.write((tx) => rotateKey(tx, runtime, name, graceMs)).catch(notFound)
  })
  await printIssued(session, issued)
  session.notice(`The old key ${issued.old.prefix}… ends at ${issued.oldExpiresAt}.`)
}

function graceOf(duration: string | undefined): number {
  if (duration === undefined) return graceDefaultMs
  const ms = durationSeconds(duration, '--grace') * 1000
  if (ms > keyGraceMaxMs)
    throw usage(`--grace: ${duration} is too long.`, `Give 0 to ${keyGraceMaxMs / dayMs}d.`)
  return ms
}

export const revoke: CommandFile<[string[], DatabaseOptions]> = {
  summary: 'Revoke keys immediately',
  details: 'The next request with a revoked key fails. To replace a key without an interruption, rotate it.',
  examples: ['admin keys revoke sk_live_Ab12Cd --yes'],
  define: (revoke) =>
    confirmable(
      databaseOption(revoke.argument('<key...>', 'Prefixes or ids, as ls shows them; - for lines of stdin')),
    ),
  isOffline: true,
  isPlain: true,
  run: revokeEach,
}

async function revokeEach(session: Session, given: string[], options: DatabaseOptions): Promise<Outcome> {
  const named = await namesFrom(session, given)
  return withDatabase(session, options, async (db, place) => {
    const ask = (question: string, environment?: Environment) =>
      confirm(session, question, () => noticeWriting(session, place, environment))
    if (named.isMany) await ask(`Revoke ${inAll(named, 'key')}?`)
    return eachNamed(session, named, async (name) => {
      const notFound = sayNotFound(`key ${name}`, 'See: custody admin keys ls')
      const { id, prefix, partner_name, environment } = await db
        .read((tx) => findKeyNamed(tx, name))
        .catch(notFound)
      const key = `${prefix}… of ${partner_name} (${environment})`
      if (!named.isMany) await ask(`Revoke the key ${key}?`, environment)
      await db.write((tx) => endKey(tx, runtime, id))
      session.io.out.write(`Revoked ${key}\n`)
    })
  })
}

type Issued = Pick<IssuedKey, 'key'> & Pick<IssuedKey['row'], 'prefix' | 'id' | 'created_at' | 'expires_at'>

const issuedKey: View = {
  columns: columnsOf<Issued>(
    { name: 'key', kind: 'id' },
    { name: 'prefix', kind: 'id' },
    { name: 'id', kind: 'id' },
    'created_at',
    'expires_at',
  ),
  shownOnce: {
    field: 'key',
    sample: {
      key: sampleMark,
      prefix: 'PREFIX',
      id: '01f6f2e8-6d5b-7cc1-a1b3-0f4d1a1c5d11',
      created_at: '2026-01-01T00:00:00.000Z',
      expires_at: null,
    },
  },
}

/** The key is never shown again. A pipe gets the key alone, for a file or a secret store, unless --columns is given. */
async function printIssued(session: Session, { key, row }: IssuedKey): Promise<void> {
  const printer = await session.printer()
  const { prefix, id, created_at, expires_at } = row
  const { columns } = session.options
  const isAlone =
    columns === undefined || chooseColumns(issuedKey, columns).every(({ name }) => name === 'key')
  if (printer.format === 'tsv' && isAlone) printer.text(`${key}\n`)
  else await printer.one({ key, prefix, id, created_at, expires_at })
  session.notice('Save the key now: custody does not store it and cannot show it again.')
  if (expires_at !== null) session.notice(`It ends at ${noticedTime(session.io, expires_at)}.`)
}

function sayNoPartner(name: string | undefined): (error: unknown) => never {
  return sayNotFound(`partner named ${name}`, 'See: custody admin partners ls')
}

/** An operator of the database may know what exists, so the message says what was not found. */
function sayNotFound(what: string, hint: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof Rejection && error.code === 'not_found') {
      throw new CliError('not_found', `There is no ${what}.`, { hint })
    }
    throw error
  }
}
