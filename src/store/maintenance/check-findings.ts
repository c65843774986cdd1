import { parsedJson } from '../../contract/call.ts'
import type { ScopedTx } from '../database.ts'
import { type Row, rowsOf, type ScopedTable } from './scoped-rows.ts'

/** Two copies of a fact that disagree, or a row that must not exist. */
export type Finding = { table: string; key: string; problem: string }

export type Report = (table: string, key: unknown, problem: string) => void

/** A scope to check. `report` takes what is wrong. */
export type Checked = { tx: ScopedTx; report: Report }

export async function findingsOf(check: (report: Report) => Promise<void>): Promise<Finding[]> {
  const findings: Finding[] = []
  await check((table, key, problem) => void findings.push({ table, key: String(key), problem }))
  return findings
}

export function compare(report: Report, table: ScopedTable, key: unknown, row: Row, expected: Row): void {
  for (const [column, value] of Object.entries(expected)) {
    if (row[column] !== value)
      report(table, key, `${column} is ${shown(row[column])}, its document says ${shown(value)}`)
  }
}

export function documentOf<T>(
  report: Report,
  table: ScopedTable,
  key: unknown,
  text: unknown,
): T | undefined {
  const document = parsedJson(String(text))
  if (document === undefined) report(table, key, 'its document is not JSON')
  return document as T | undefined
}

/** `columnsOf` derives the columns from the document; storing uses the same function. */
export function compareDocument<T>(
  report: Report,
  table: ScopedTable,
  key: unknown,
  row: Row,
  columnsOf: (document: T) => Row,
): void {
  const document = documentOf<T>(report, table, key, row.doc)
  if (document) compare(report, table, key, row, columnsOf(document))
}

export async function checkDocuments<T>(
  at: Checked,
  table: ScopedTable,
  columnsOf: (document: T) => Row,
): Promise<void> {
  for await (const row of rowsOf(at.tx, table)) compareDocument(at.report, table, row.id, row, columnsOf)
}

export function compareCount(
  report: Report,
  table: ScopedTable | 'scopes',
  key: string,
  kept: number,
  counted: number,
): void {
  if (kept !== counted) report(table, key, `${kept} stored, ${counted} counted`)
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
