import { Refusal } from '../../../domain/refusal.ts'
import type { UnitOfWork } from '../../../engine/context.ts'
import { defaultSettings } from '../../../engine/settings.ts'
import { openWork } from '../../../engine/unit-of-work.ts'
import { realSources } from '../../../service/embedded.ts'
import type { Database } from '../../../store/database.ts'
import { placeShown } from '../../../store/open.ts'
import type { Scope } from '../../../store/tables/scopes.ts'
import { confirm } from '../../ask/confirm.ts'
import { CliError } from '../../base/cli-error.ts'
import type { Session } from '../../command.ts'
import { withDatabase } from '../../database/database.ts'
import { writingTo } from '../../session.ts'
import { type Place, type PlaceOptions, placeOf, scopeOf } from './place.ts'

/**
 * Carries out one piece of the warehouse's work in one transaction: all of it or nothing. Says on stderr first whose goods are
 * changed, and asks `question` where there is one. Throws `CliError` where the database cannot be used, and what the work throws.
 */
export async function inWarehouse<T>(
  session: Session,
  options: PlaceOptions,
  task: (work: UnitOfWork) => Promise<T>,
  question?: string,
): Promise<T> {
  const place = placeOf(session, options)
  return withDatabase(session, { database: place.database }, async (db) => {
    const scope = await db.read((tx) => scopeOf(tx, place))
    const announce = (): void => session.notice(noticeOf(session, scope, place))
    if (question === undefined) announce()
    else await confirm(session, question, announce)
    return carryOut(session, db, scope, task)
  })
}

/** The same step for several things; what stops one of them is told by its name. */
export async function forEach<T>(names: readonly string[], step: (name: string) => Promise<T>): Promise<T[]> {
  const done: T[] = []
  for (const name of names) done.push(await step(name).catch((error: unknown) => rethrow(error, name, names)))
  return done
}

async function carryOut<T>(
  { io }: Session,
  db: Database,
  scope: Scope,
  task: (work: UnitOfWork) => Promise<T>,
): Promise<T> {
  const sources = { ...realSources, clock: () => io.now() }
  let wakes = false
  const result = await db.write(
    async (tx) => {
      const work = await openWork(tx, scope, sources, defaultSettings)
      const done = await task(work)
      await work.finish()
      wakes = work.wakes
      return done
    },
    { lane: scope.id },
  )
  if (wakes) db.relay?.announce(scope.id)
  return result
}

function noticeOf({ errStyle: style }: Session, scope: Scope, { database }: Place): string {
  const { environment, partner_name } = scope
  return writingTo({ environment, label: `goods of ${partner_name} in ${placeShown(database)}` }, style)
}

function rethrow(error: unknown, name: string, names: readonly string[]): never {
  if (!(error instanceof Refusal)) throw error
  const whole = names.length > 1 ? ' Nothing was changed.' : ''
  const message = `${name}: ${error.message}${whole}`
  if (error.code === 'state_conflict') throw new CliError('conflict', message)
  throw new Refusal(error.code, message, error.extra)
}
