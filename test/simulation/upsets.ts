import { sleep } from '../../src/runtime/runtime.ts'
import { StoreError } from '../../src/store/database.ts'
import { undoKeys, undoRules } from '../support/rules-undone.ts'
import { setFull } from './machine.ts'
import type { World } from './run.ts'
import type { Process } from './scheduler.ts'
import { type ServiceProcess, startService } from './service-process.ts'
import type { Upset } from './story.ts'
import { as } from './tasks.ts'
import { openStore } from './template.ts'

/** Starts a service whose clock may be wrong; if its database fails, it is started again. */
export async function started(world: World, name: string, skewMs = 0): Promise<ServiceProcess> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(world, attempt > 1 ? `${name}, attempt ${attempt}` : name, skewMs)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      await sleep(1_000)
    }
  }
}

/** All services are new at once, and find a database that an older version left. */
export async function upgrade(world: World): Promise<void> {
  const { services: all, scheduler, database } = world
  for (const one of all) await one.stop().catch(() => one.crash())
  const older = scheduler.start('older version')
  await as(scheduler, older, 0, async () => {
    const db = await openStore(database)
    await db.write(undoKeys)
    await db.write(undoRules)
    await db.close()
  })
  scheduler.tell('upgrade', older)
  world.upgradedAt = scheduler.steps
  const begin = async (_: unknown, n: number) =>
    (all[n] = await started(world, `service ${n} of this version`))
  await Promise.all(all.map(begin))
}

function start(world: World, name: string, skewMs: number): Promise<ServiceProcess> {
  const { scheduler, database, rates, receivers, story } = world
  const onFault = (error: unknown): void => {
    // The story deliberately makes the database unavailable.
    if (!(error instanceof StoreError))
      world.faults.push(`${name}: ${error instanceof Error ? error.stack : error}`)
  }
  return startService({
    scheduler,
    name,
    skewMs,
    environment: story.environment,
    database,
    rates,
    attempt: receivers.attempt,
    onFault,
  })
}

/** What happens to a machine or a receiver, until it is over. */
export async function happen(world: World, { at, kind, which, ms, no }: Upset): Promise<void> {
  const { receivers, services: all, note, scheduler } = world
  await sleep(at)
  note(`${kind} ${which} ${ms}`)
  scheduler.tell(kind, all[which % all.length]!.process)
  if (kind === 'receiver') return receivers.upset(which, ms)
  if (kind === 'sleep') return scheduler.skip(ms * 100)
  if (kind === 'bad line') {
    world.hasBadLine = true
    await sleep(ms)
    world.hasBadLine = false
    return
  }
  const n = which % all.length
  const service = all[n]!
  const weeks = (which - 2) * ms * 400_000
  if (kind === 'clock') {
    setForGood(world, service.process, (which - 2) * ms * 60)
  } else if (kind === 'wrong clock') {
    service.process.skewMs += weeks
    await sleep(ms)
    service.process.skewMs -= weeks
  } else if (kind === 'disk full') {
    setFull(service.process, true)
    await sleep(ms)
    setFull(service.process, false)
  } else if (kind === 'bad disk') {
    const processes = all.map((one) => one.process)
    for (const one of processes) one.hasBadDisk = true
    await sleep(ms)
    for (const one of processes) one.hasBadDisk = false
  } else if (!world.changing.has(n)) {
    world.changing.add(n)
    if (world.changing.size === all.length) scheduler.tell('all services are away', service.process)
    if (kind === 'restart') await service.stop().catch(() => service.crash())
    else service.crash()
    await sleep(ms)
    const skewMs = kind === 'crash with clock' ? weeks : 0
    const again = await started(world, `service ${n} after ${no}`, skewMs)
    all[n] = again
    world.changing.delete(n)
    if (skewMs === 0) return
    await sleep(ms)
    again.process.skewMs -= skewMs
  }
}

function setForGood(world: World, process: Process, ms: number): void {
  const all = (world.setBy.get(process) ?? 0) + ms
  process.skewMs += ms
  world.setBy.set(process, all)
  world.aheadMs = Math.max(world.aheadMs, all)
}
