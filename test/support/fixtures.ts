import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'

/** A row of a fixture by column name. */
export type Row = Record<string, string>

/** The expected failures of a file's rows: `X.expected.json` next to `X.csv`. */
export type ExpectedRows = {
  operation: string
  totals: { submitted: number; created: number; failed: number }
  errors: Array<{ row: number; code: string; fields: string[]; fault: string; needs_data?: boolean }>
}

/** A file that is rejected as a whole: an entry of `faults/expected.json`. */
export type RejectedFile = { file: string; operation: string; fault: string; mentions: string[] }

/** The location of a fixture, by its path below `fixtures/`. */
export function fixtureUrl(path: string): URL {
  return new URL(`../../fixtures/${path}`, import.meta.url)
}

export function readFixture(path: string): Buffer {
  return readFileSync(fixtureUrl(path))
}

export function readFixtureJson<T>(path: string): T {
  return JSON.parse(readFixture(path).toString('utf8')) as T
}

/** The rows of a well-formed CSV fixture. */
export function readFixtureRows(path: string): Row[] {
  return parse(readFixture(path), { columns: true, bom: true })
}
