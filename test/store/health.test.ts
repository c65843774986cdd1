import { expect, test } from 'vitest'
import type { Database } from '../../src/store/database.ts'
import { isWell } from '../../src/store/maintenance/health.ts'
import { databases, startHarness } from '../support/harness.ts'

test.each(databases)(
  'a database that answers is healthy, one that does not respond is not: $name',
  async (database) => {
    const harness = await startHarness(database)
    expect(await isWell(harness.db)).toBe(true)
    const frozen: Database = { ...harness.db, read: () => new Promise(() => {}) }
    expect(await isWell(frozen, 1)).toBe(false)
    await harness.close()
  },
)
