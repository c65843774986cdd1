import type { FiltersOf, OperationId } from '../../contract/operations.ts'
import { empty, join, type Sql, sql } from '../sql.ts'

/** `isCounted`: counters of the table have each value as a key. Other filters are counted by query. */
type Rule<Value> = { where: (value: Value, scopeId: number) => Sql; isCounted?: true }

/** A condition for each filter of a list: a missing one does not compile. */
export type FilterRules<Id extends OperationId> = {
  readonly [Name in keyof FiltersOf<Id>]-?: Rule<NonNullable<FiltersOf<Id>[Name]>>
}

/** Conditions, each after an `and`, and how to count the matching rows. */
type Narrowing = { where: Sql; counted: 'by query' | 'in all' | { key: string } }

export function narrowing<Id extends OperationId>(
  rules: Partial<FilterRules<Id>>,
  query: FiltersOf<Id>,
  scopeId: number,
): Narrowing {
  const conditions: Sql[] = []
  let counted: Narrowing['counted'] = 'in all'
  for (const [name, rule] of Object.entries<Rule<never> | undefined>(rules)) {
    const value = query[name as keyof FiltersOf<Id>]
    if (value === undefined || rule === undefined) continue
    conditions.push(sql`and ${rule.where(value as never, scopeId)}`)
    counted = rule.isCounted && counted === 'in all' ? { key: String(value) } : 'by query'
  }
  return { where: conditions.length === 0 ? empty : join(conditions, ' '), counted }
}
