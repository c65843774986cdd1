import type { Sent } from '../network.ts'
import { count, dayMs, goodIssue, isGood, isWrite, metBy, ofDeeds, ofRepeated, type States } from './seen.ts'

const isImport = ({ operation }: { operation: string | undefined }): boolean =>
  /^import/.test(operation ?? '')

/** Rare states of clocks, disks, and services that die. */
export const statesOfMachines = {
  'a clock was set by weeks while a write was under way there': metBy('wrong clock', isWrite),
  'a clock was set by minutes for good while a write was under way there': metBy('clock', isWrite),
  'all machines slept in the middle of a write': metBy('sleep', isWrite),
  'all machines slept while an operator waited for events': metBy('sleep', ({ isWaiting }) => isWaiting),
  'two services whose clocks were weeks apart wrote for one partner within ten seconds': ({ sent }) =>
    count(sent.filter(isDone), (one, at, all) => {
      const next = all.slice(at + 1, at + 30)
      return next.some(
        (other) =>
          other.partner === one.partner &&
          other.at - one.at < 10_000 &&
          Math.abs(other.skewMs - one.skewMs) > 6 * dayMs,
      )
    }),
  'a service whose clock was weeks ahead stored a result, and another gave it again': ofRepeated((sent) => {
    const at = sent.findIndex((one) => isDone(one) && one.skewMs > 6 * dayMs)
    return at >= 0 && sent.slice(at + 1).some((one) => one.isReplayed && Math.abs(one.skewMs) < dayMs)
  }),
  'a service whose clock was weeks behind wrote after another that was right': ({ sent }) =>
    count(sent.filter(isDone), (one, at, all) => one.skewMs < -6 * dayMs && (all[at - 1]?.skewMs ?? -1) >= 0),
  'a service began with a clock that was weeks off, and wrote': ({ sent, incidentsOf }) =>
    count(incidentsOf('crash with clock'), ({ step, at }) =>
      sent.some(
        (one) =>
          isDone(one) &&
          one.begun > step &&
          one.at - at < 10_000 &&
          / after \d+$/.test(one.service?.name ?? '') &&
          Math.abs(one.skewMs) > 6 * dayMs,
      ),
    ),
  'the services began at once on the schema of an older version, and two of them wrote': ({
    sent,
    incidentsOf,
  }) =>
    count(incidentsOf('upgrade'), ({ step }) => {
      const isNew = (one: Sent): boolean =>
        isDone(one) && one.begun > step && / of this version/.test(one.service?.name ?? '')
      return new Set(sent.filter(isNew).map(({ service }) => service)).size > 1
    }),
  'all services were away at once': ({ incidentsOf }) => incidentsOf('all services are away').length,
  'a service died in the middle of a transaction that had changed something': ({ incidentsOf }) =>
    count(incidentsOf('death in a write'), ({ process }) => process.name.startsWith('service')),
  "a command of the warehouse's died in the middle of a transaction that had changed something": ({
    incidentsOf,
  }) => count(incidentsOf('death in a write'), ({ process }) => process.name.startsWith('warehouse')),
  'a disk failed in the middle of a transaction that had changed something': ({ incidentsOf }) =>
    incidentsOf('disk error in a write').length,
  'a page was damaged at one look, and its service wrote later': ({ sent, incidentsOf }) =>
    count(incidentsOf('damaged page'), ({ process, step }) =>
      sent.some((one) => one.service === process && one.begun > step && isDone(one)),
    ),
  'a commit was done that its service did not hear of': ({ incidentsOf }) =>
    count(incidentsOf('unheard commit'), ({ process }) => process.name.startsWith('service')),
  "a command of the warehouse's did not know whether it had committed, and it had": ofDeeds(
    ({ act, issues, trace }, { effects }) =>
      act.id === 'warehouse' && issues.every(({ status }) => status === undefined) && effects.has(trace),
  ),
  'a disk was full at the commit of a write, and the write was done later': ({
    sent,
    incidentsOf,
    byTrace,
  }) =>
    count(incidentsOf('full disk at a commit'), ({ process, step }) =>
      sent.some(
        (one) =>
          one.service === process &&
          one.begun < step &&
          step < one.ended &&
          isWrite(one) &&
          (byTrace.get(one.trace as string) ?? []).some((later) => later.ended > step && isDone(later)),
      ),
    ),
  'a disk was full in the middle of an import': metBy('full disk at a commit', isImport),
  'a service died in the middle of an import, and the import was done': ofRepeated((sent) => {
    const at = sent.findIndex((one) => one.fate === 'cut off' && isImport(one))
    return at >= 0 && sent.slice(at + 1).some(({ status }) => isGood(status))
  }),
  'an import was done in steps, and others wrote between them': ofDeeds((one, { blocks }) => {
    if (!/^import|^receiveManifest$/.test(one.act.id) || !goodIssue(one)) return false
    return count(blocks, ({ trace }) => trace === one.trace) >= 2
  }),
} as const satisfies States

function isDone(one: Parameters<typeof isWrite>[0]): boolean {
  return isWrite(one) && isGood(one.status) && !one.isReplayed
}
