import { itemStatuses } from '../../../contract/enums.ts'
import { dayMs } from '../../../contract/limits.ts'
import { graderKey } from '../../../domain/graders/graders.ts'
import type { HeldItem } from '../../../domain/items/log-state.ts'
import { usage } from '../../base/cli-error.ts'
import type { Values } from './values.ts'

export const groupings = ['status', 'grader', 'grade', 'sku', 'category'] as const
export type Grouping = (typeof groupings)[number]

export type Group = { group: string; items: number; value: number | null; oldest: string | null }

export function groupedBy(items: readonly HeldItem[], by: Grouping, values: Values | undefined): Group[] {
  const groups = Map.groupBy(items, (item) => groupName(item, by))
  const known: readonly string[] = by === 'status' ? itemStatuses : []
  const placeOf = (name: string): number => (known.includes(name) ? known.indexOf(name) : known.length)
  const names = [...groups.keys()].sort(
    (one, other) =>
      placeOf(one) - placeOf(other) ||
      (groups.get(other)?.length ?? 0) - (groups.get(one)?.length ?? 0) ||
      (one < other ? -1 : 1),
  )
  return [
    ...names.map((name) => groupOf(name, groups.get(name) ?? [], values)),
    groupOf('total', items, values),
  ]
}

function groupName(item: HeldItem, by: Grouping): string {
  const name = item[by]
  if (name == null) return 'none'
  return by === 'grader' ? graderKey(name) : name
}

export function groupedByAge(
  items: readonly HeldItem[],
  at: string,
  buckets: readonly number[],
  values: Values | undefined,
): Group[] {
  const ageOf = ({ intake_at }: HeldItem): number =>
    Math.floor((Date.parse(at) - Date.parse(intake_at)) / dayMs)
  const groups = [...buckets, Number.POSITIVE_INFINITY].map((most, index) => {
    const least = index === 0 ? Number.NEGATIVE_INFINITY : (buckets[index - 1] ?? 0) + 1
    const name = most === Number.POSITIVE_INFINITY ? `${least} and more` : `${Math.max(0, least)} to ${most}`
    const found = items.filter((item) => ageOf(item) >= least && ageOf(item) <= most)
    return groupOf(name, found, values)
  })
  return [...groups, groupOf('total', items, values)]
}

export function bucketsOf(text: string): number[] {
  const days = text.split(',').map((part) => (/^\s*\d{1,5}\s*$/.test(part) ? Number(part) : Number.NaN))
  if (days.every((day, at) => day > (days[at - 1] ?? 0))) return days
  throw usage(`--buckets: "${text}" is not a list of ascending days.`, 'As in --buckets 30,60,90,180')
}

function groupOf(group: string, items: readonly HeldItem[], values: Values | undefined): Group {
  const oldest = items.reduce<string | null>(
    (first, { intake_at }) => (first === null || intake_at < first ? intake_at : first),
    null,
  )
  const cents = values && items.reduce((sum, item) => sum + (values.of(item) ?? 0), 0)
  return { group, items: items.length, value: cents === undefined ? null : cents / 100, oldest }
}
