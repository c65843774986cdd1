import { parsedJson } from '../../contract/call.ts'
import type { SqlValue, Tx } from '../database.ts'
import { type Row, rowsOf, type ScopedTable } from './scoped-rows.ts'

/** Two copies of a fact that disagree, or a row that must not exist. */
export type Finding = { table: string; key: string; problem: string }

export function differences(table: ScopedTable, key: string, row: Row, expected: Row): Finding[] {
  return Object.entries(expected)
    .filter(([column, value]) => row[column] !== value)
    .map(([column, value]) => {
      const problem = `${column} is ${shown(row[column])}, its document says ${shown(value)}`
      return { table, key, problem }
    })
}

export function documentOf<T>(
  table: ScopedTable,
  key: string,
  text: SqlValue | undefined,
  findings: Finding[],
): T | undefined {
  const document = parsedJson(String(text))
  if (document === undefined) findings.push({ table, key, problem: 'its document is not JSON' })
  return document as T | undefined
}

/** `columnsOf` derives the columns from the document; storing uses the same function. */
export function compared<T>(
  table: ScopedTable,
  key: string,
  row: Row,
  columnsOf: (document: T) => Row,
): Finding[] {
  const findings: Finding[] = []
  const document = documentOf<T>(table, key, row.doc, findings)
  return document ? differences(table, key, row, columnsOf(document)) : findings
}

export async function checkDocuments<T>(
  tx: Tx,
  scopeId: number,
  table: ScopedTable,
  columnsOf: (document: T) => Row,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const row of rowsOf(tx, scopeId, table))
    findings.push(...compared(table, String(row.id), row, columnsOf))
  return findings
}

export function miscount(
  table: ScopedTable | 'scopes',
  key: string,
  kept: number,
  counted: number,
): Finding[] {
  return kept === counted ? [] : [{ table, key, problem: `${kept} stored, ${counted} counted` }]
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
