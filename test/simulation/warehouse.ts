import type { Environment } from '../../src/contract/enums.ts'
import { Rejection } from '../../src/domain/rejection.ts'
import { defaultSettings, type UnitOfWork } from '../../src/engine/context.ts'
import { moveTransfer } from '../../src/engine/fulfillments/transfers.ts'
import {
  attachImagery,
  deliverFulfillment,
  labelFulfillment,
  packFulfillment,
  pickFulfillment,
  queueFulfillment,
  raiseIssue,
  resolveIssue,
  returnFulfillment,
  shipFulfillment,
  storeItem,
  verifyFulfillment,
} from '../../src/engine/fulfillments/warehouse-shipping.ts'
import type { WarehouseArrival } from '../../src/engine/intake/arrivals.ts'
import { intakeArrivals } from '../../src/engine/intake/warehouse-intake.ts'
import { inUnitOfWork } from '../../src/engine/unit-of-work.ts'
import { runtime, sleep } from '../../src/runtime/runtime.ts'
import { StoreError } from '../../src/store/database.ts'
import { listScopes } from '../../src/store/tables/scopes.ts'
import { faultyDatabase } from './faulty-database.ts'
import { closeConnections, uptime } from './machine.ts'
import type { Answered } from './making.ts'
import type { Process, Scheduler } from './scheduler.ts'
import type { FaultRates } from './story.ts'
import { as } from './tasks.ts'
import { openStore } from './template.ts'

// The warehouse's commands (src/cli/commands/warehouse): their own process over the same database, one transaction, no key.

const label = { carrier: 'ups', service: 'ups_ground', tracking_number: '1Z999AA1', tracking_url: null }
const issue = { code: 'address_invalid', message: 'No such street.' } as const

/** Advances one item, order, or transfer; returns its document. */
const steps = {
  digitize: async (work, qid) => JSON.stringify((await attachImagery(work, qid)).item),
  store: async (work, qid) => JSON.stringify((await storeItem(work, qid)).item),
  pick: pickFulfillment,
  pack: packFulfillment,
  verify: verifyFulfillment,
  label: (work, id) => labelFulfillment(work, id, label),
  queue: (work, id) => queueFulfillment(work, id, label),
  ship: (work, id) => shipFulfillment(work, id, label),
  deliver: deliverFulfillment,
  return: returnFulfillment,
  issue: (work, id) => raiseIssue(work, id, issue),
  'resolve-issue': resolveIssue,
  complete: (work, id) => moveTransfer(work, id, 'completed'),
  decline: (work, id) => moveTransfer(work, id, 'declined'),
} as const satisfies Record<string, (work: UnitOfWork, name: string) => Promise<string>>

export type Step = keyof typeof steps

/** Advances all of them or none, or receives all of them. */
export type WarehouseAct =
  | { id: 'warehouse'; request: { step: Step; names: string[] } }
  | { id: 'warehouse'; request: { step: 'intake'; manifestId: string | null; arrivals: WarehouseArrival[] } }

type Place = {
  scheduler: Scheduler
  database: string
  rates: FaultRates
  partner: number
  environment: Environment
}

const unheard: Answered = { status: undefined, text: '', data: undefined }

/** The number of its machines whose clock is wrong by weeks, and of those with a bad disk. */
const badMachines = 0.05

/** As its own process, which may die in the middle: the outcome is then unknown, as after a lost commit. */
export async function inWarehouse(
  place: Place,
  name: string,
  act: WarehouseAct,
  trace: string,
): Promise<Answered> {
  const { scheduler, rates } = place
  const process = scheduler.start(name)
  const { random } = process
  const isRough = rates.diskErrors > 0
  if (isRough && random.is(badMachines)) process.skewMs = (random.int(5) - 2) * 10 * 86_400_000
  process.hasBadDisk = isRough && random.is(badMachines)
  const done = as(scheduler, process, 0, () => carriedOut(place, process, act, trace))
  if (!random.is(3 * rates.lostAnswers)) return done
  const ended = sleep(random.int(10)).then(() => {
    scheduler.kill(process)
    closeConnections(process)
  })
  return Promise.race([done, ended]).then(() => unheard)
}

async function carriedOut(
  { scheduler, database, rates, partner, environment }: Place,
  process: Process,
  act: WarehouseAct,
  trace: string,
): Promise<Answered> {
  const db = faultyDatabase(await openStore(database), scheduler, process, rates)
  const sources = { clock: runtime.clock, uptime, random: process.random.bytes }
  try {
    const scopes = await db.read((tx) => listScopes(tx))
    const scope = scopes.find(
      (one) => one.partner_name === `Partner ${partner}` && one.environment === environment,
    )!
    const text = await inUnitOfWork(
      { db, sources, settings: defaultSettings },
      scope,
      (work) => textOf(work, act),
      { trace },
    )
    return { status: 200, text, data: JSON.parse(text) }
  } catch (error) {
    if (error instanceof Rejection)
      return { ...unheard, status: error.code === 'state_conflict' ? 409 : 400, text: error.message }
    // A rejected statement is not done; the outcome of a lost commit is unknown.
    if (error instanceof StoreError)
      return { ...unheard, status: error.fault === 'unknown' ? undefined : 503 }
    throw error
  } finally {
    await db.close()
  }
}

async function textOf(work: UnitOfWork, { request }: WarehouseAct): Promise<string> {
  if (request.step === 'intake') {
    const { manifestId, arrivals } = request
    return `{"intakes":[${await intakeArrivals(work, arrivals, { manifestId })}]}`
  }
  const texts: string[] = []
  for (const name of request.names) texts.push(await steps[request.step](work, name))
  return `[${texts}]`
}
