import { type Command, Option } from 'commander'
import { type Environment, environments } from '../../../contract/enums.ts'
import { own } from '../../../contract/own.ts'
import { shownPlace } from '../../../domain/database-address.ts'
import { Rejection } from '../../../domain/rejection.ts'
import { isSameText } from '../../../domain/unicode-forms.ts'
import { defaultSettings, type UnitOfWork } from '../../../engine/context.ts'
import { inUnitOfWork } from '../../../engine/unit-of-work.ts'
import { runtime } from '../../../runtime/runtime.ts'
import { inScope, type ScopedTx, type Tx } from '../../../store/database.ts'
import { listScopes, type Scope } from '../../../store/tables/scopes.ts'
import { confirm } from '../../ask/ask.ts'
import { CliError, usage } from '../../base/cli-error.ts'
import { failureOf } from '../../base/failure.ts'
import { quoted } from '../../base/shell-word.ts'
import type { Session } from '../../command.ts'
import { databaseSettings, withDatabase } from '../../database/database.ts'

/** In one transaction. Says first, on stderr, whose goods change. Throws `CliError`, and the errors of `task`. */
export async function inWarehouse<T>(
  session: Session,
  options: PlaceOptions,
  task: (work: UnitOfWork) => Promise<T>,
  question?: string,
): Promise<T> {
  return inWarehouseFor(session, options, (inOneUnitOfWork) => inOneUnitOfWork(task), question)
}

/** For long work, such as scanning: each piece is its own transaction. */
export async function inWarehouseFor<R>(
  session: Session,
  options: PlaceOptions,
  use: (inOneUnitOfWork: <T>(task: (work: UnitOfWork) => Promise<T>) => Promise<T>) => Promise<R>,
  question?: string,
): Promise<R> {
  const place = placeOf(session, options)
  return withDatabase(session, { database: place.database }, async (db) => {
    const scope = await db.read((tx) => scopeOf(tx, place))
    const { environment, partner_name } = scope
    const label = `${partner_name} in ${shownPlace(place.database)}`
    const announce = (): void => session.writingTo({ environment, label })
    if (question === undefined) announce()
    else await confirm(session, question, announce)
    const sources = { ...runtime, clock: () => session.io.now() }
    const wake = (scopeId: number): void => db.relay?.announce(scopeId)
    return use((task) => inUnitOfWork({ db, sources, settings: defaultSettings, wake }, scope, task))
  })
}

export async function readWarehouse<T>(
  session: Session,
  options: PlaceOptions,
  task: (tx: ScopedTx, scope: Scope) => Promise<T>,
  place = placeOf(session, options),
): Promise<T> {
  return withDatabase(session, { database: place.database }, (db) =>
    db.read(
      async (tx) => {
        const scope = await scopeOf(tx, place)
        return task(inScope(tx, scope.id), scope)
      },
      { long: true },
    ),
  )
}

export type NamedErrors = ReadonlyMap<string, Error>

/** All or none. Throws a `CliError` that names each that fails. `check`: errors of done ones by name. */
export async function forEach<T>(
  names: readonly string[],
  step: (name: string) => Promise<T>,
  check?: (done: ReadonlyMap<string, T>) => Promise<NamedErrors>,
): Promise<T[]> {
  const done = new Map<string, T>()
  const failed: Array<{ name: string; error: Error }> = []
  for (const name of names) {
    try {
      done.set(name, await step(name))
    } catch (error) {
      if (!(error instanceof Rejection || error instanceof CliError)) throw error
      failed.push({ name, error })
    }
  }
  for (const [name, error] of (await check?.(done)) ?? []) failed.push({ name, error })
  const [first, ...others] = failed
  if (first === undefined) return [...done.values()]
  const whole = names.length > 1 ? ' Nothing was changed.' : ''
  if (others.length === 0) throw namedFailure(first.error, first.name, whole)
  const { ending } = failureOf(first.error)
  const fields = Object.fromEntries(failed.map(({ name, error }) => [name, [textOf(error)]]))
  throw new CliError(ending, `${failed.length} of ${names.length} failed.${whole}`, { fields })
}

function textOf(error: Error): string {
  const { message, fields } = failureOf(error)
  const faults = Object.entries(fields).map(([field, problems]) => `${field} ${problems.join(', ')}`)
  return `${message} ${faults.join('; ')}`.trim()
}

/** By a fulfillment's stage, or by its status if it has no stage. */
const nextSteps: Readonly<Record<string, string>> = {
  pending: 'pick',
  processing: 'pick',
  picked: 'pack',
  packed: 'verify',
  verified: 'label',
  labeled: 'queue',
  queued_for_carrier: 'ship',
  shipped: 'deliver',
  exception: 'resolve-issue',
}

function nextStep(
  name: string,
  { extra: { status, processing_stage: stage } }: Rejection,
): string | undefined {
  if (stage === undefined) return undefined
  const step = own(nextSteps, String(status === 'processing' ? (stage ?? status) : status))
  return step && `Next: custody warehouse ${step} ${quoted(name)}`
}

function namedFailure(error: Error, name: string, whole: string): Error {
  if (!(error instanceof Rejection))
    return whole === '' ? error : new CliError(failureOf(error).ending, `${error.message}${whole}`)
  const message = `${name}: ${error.message}${whole}`
  if (error.code === 'state_conflict')
    return new CliError('conflict', message, { hint: nextStep(name, error) })
  return new Rejection(error.code, message, error.extra)
}

export type PlaceOptions = {
  profile?: string
  database?: string
  partner?: string
  environment?: Environment
}

type Place = { database: string; partner: string | undefined; environment: Environment | undefined }

export function placeOptions(command: Command): Command {
  return command
    .optionsGroup('Where:')
    .option('--profile <name>', 'Use the database of this profile')
    .option('--database <database>', 'SQLite file or postgres:// address (default: your sandbox)')
    .option('--partner <name>', 'Partner (default: the only one in the database)')
    .addOption(
      new Option('--environment <name>', 'Environment (default: the only one)').choices(environments),
    )
}

/** Throws `usage` if the target is a service. */
export function placeOf(session: Session, options: PlaceOptions): Place {
  const { profile, database, partner, environment } = options
  const settings = databaseSettings(session, { ...(profile && { profile }), ...(database && { database }) })
  const isOfProfile = settings.profile !== undefined
  return {
    database: settings.database.value,
    partner: partner ?? (isOfProfile ? settings.partner.value : undefined),
    environment: environment ?? (isOfProfile ? settings.environment.value : undefined),
  }
}

/** Throws `not_found` if no scope fits, `usage` if several do. */
async function scopeOf(tx: Tx, { partner, environment }: Place): Promise<Scope> {
  const scopes = await listScopes(tx)
  const meant = scopes.filter(
    (scope) =>
      (partner === undefined || isSameText(scope.partner_name, partner)) &&
      (environment === undefined || scope.environment === environment),
  )
  const [scope, ...others] = meant
  if (scope === undefined) {
    const wanted = [partner, environment].filter(Boolean).join(' in ')
    const known = scopes.map(nameOf).join(', ')
    throw new CliError('not_found', `The database contains no data of ${wanted || 'any partner'}.`, {
      hint: known === '' ? undefined : `It contains: ${known}.`,
    })
  }
  if (others.length === 0) return scope
  const flags = [
    ...(meant.some(({ partner_name }) => partner_name !== scope.partner_name) ? ['--partner'] : []),
    ...(meant.some((other) => other.environment !== scope.environment) ? ['--environment'] : []),
  ]
  throw usage(`The database contains ${meant.map(nameOf).join(', ')}.`, `Choose with ${flags.join(' and ')}.`)
}

function nameOf({ partner_name, environment }: Scope): string {
  return `${partner_name} (${environment})`
}
