import type { Client } from '../../../client/client.ts'
import { dayMs } from '../../../contract/limits.ts'
import { isHeld } from '../../../domain/items/item-states.ts'
import { itemOf } from '../../../domain/items/log-state.ts'
import { usage } from '../../base/cli-error.ts'
import { logUntil } from './held-items.ts'
import type { Values } from './values.ts'

/** `date` is in UTC. `item_days`: the items in the warehouse at its end. */
export type StorageDay = {
  date: string
  item_days: number
  arrived: number
  left: number
  value: number | null
  charge: number | null
}

/** The days of a month that are over by `now`. Throws `usage` for a month without any. */
export function daysOfMonth(month: string, now: number): { days: string[]; isWhole: boolean } {
  const first = /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? Date.parse(`${month}-01T00:00:00Z`) : Number.NaN
  if (Number.isNaN(first)) throw usage(`--month: "${month}" is not a month.`, 'As in --month 2026-11')
  const days: string[] = []
  let day = first
  for (; new Date(day).toISOString().startsWith(month); day += dayMs)
    if (day + dayMs <= now) days.push(new Date(day).toISOString().slice(0, 10))
  if (days.length === 0) throw usage(`--month: no day of ${month} is over yet.`)
  return { days, isWhole: day <= now }
}

/** Items on their way to a customer are not in the warehouse. */
export async function storageOf(
  client: Client,
  days: readonly string[],
  options: { values: Values | undefined; rate: string | undefined; onRows: (rows: number) => Promise<void> },
): Promise<StorageDay[]> {
  const { values, rate, onRows } = options
  const charge = rate === undefined ? () => null : chargeBy(rate)
  const stored = new Map<string, number>()
  const rows: StorageDay[] = []
  let [arrived, left, cents] = [0, 0, 0]
  const closeUntil = (date: string): void => {
    for (const day of days.slice(rows.length)) {
      if (day >= date) return
      const value = values === undefined ? null : cents / 100
      rows.push({ date: day, item_days: stored.size, arrived, left, value, charge: charge(stored.size) })
      arrived = 0
      left = 0
    }
  }
  const until = `${days.at(-1)}T23:59:59.999Z`
  await logUntil(client, {
    until,
    onRows,
    onEvent({ event }) {
      const date = event.created_at.slice(0, 10)
      closeUntil(date)
      const item = itemOf(event)
      if (item === undefined) return
      const isStored = isHeld(item.status as never) && item.status !== 'in_transit'
      if (isStored === stored.has(item.qid)) return
      const isCounted = date >= (days[0] ?? '')
      if (isStored) stored.set(item.qid, values?.of(item) ?? 0)
      cents += (stored.get(item.qid) ?? 0) * (isStored ? 1 : -1)
      if (!isStored) stored.delete(item.qid)
      if (isCounted && isStored) arrived += 1
      else if (isCounted) left += 1
    },
  })
  closeUntil('9999-12-31')
  const sum = (of: (day: StorageDay) => number): number => rows.reduce((total, day) => total + of(day), 0)
  const itemDays = sum(({ item_days }) => item_days)
  const total = { arrived: sum((day) => day.arrived), left: sum((day) => day.left), value: null }
  return [...rows, { date: 'total', item_days: itemDays, ...total, charge: charge(itemDays) }]
}

/** Exact for any number of item-days. Throws `usage`. */
function chargeBy(rate: string): (itemDays: number) => number {
  const [, whole, part = ''] = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(rate) ?? []
  if (whole === undefined) throw usage(`--rate: "${rate}" is not a price.`, 'As in --rate 0.02')
  const units = BigInt(whole + part)
  return (itemDays) => {
    const digits = String(BigInt(itemDays) * units).padStart(part.length + 1, '0')
    const at = digits.length - part.length
    return Number(`${digits.slice(0, at)}.${digits.slice(at)}`)
  }
}
