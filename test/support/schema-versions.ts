import { schemaVersion } from '../../src/store/schema-version.ts'

/** The migrations that a database of this version still needs. */
export function versionsAfter(version: number): number[] {
  return Array.from({ length: schemaVersion - version }, (_, at) => version + 1 + at)
}
