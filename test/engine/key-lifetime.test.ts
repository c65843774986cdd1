import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createKey, rotateKey } from '../../src/engine/keys.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'

describe.each(databases)('rotating a key over $name (decisions 1)', (database) => {
  let harness: Harness
  beforeEach(async () => {
    harness = await startHarness(database)
  })
  afterEach(() => harness.close())

  test('a key that was made to end is followed by one that ends after as long', async () => {
    const { db, sources, scope } = harness
    const { partner_name, environment } = scope
    const made = await db.write((tx) =>
      createKey(tx, sources, partner_name, environment, '2026-05-31T09:00:00.000Z'),
    )
    harness.pass(86_400_000)
    const rotated = await db.write((tx) => rotateKey(tx, sources, made.row.id, 3_600_000))
    expect(rotated.row.expires_at).toBe('2026-06-01T09:00:00.000Z')
    expect(rotated.oldExpiresAt).toBe('2026-05-02T10:00:00.000Z')
  })

  test('one that never ends is followed by one that never ends', async () => {
    const { db, sources, scope } = harness
    const made = await db.write((tx) => createKey(tx, sources, scope.partner_name, scope.environment, null))
    const rotated = await db.write((tx) => rotateKey(tx, sources, made.row.id, 0))
    expect(rotated.row.expires_at).toBeNull()
  })

  test('one that ends within the grace lives no longer by it', async () => {
    const { db, sources, scope } = harness
    const end = '2026-05-01T10:00:00.000Z'
    const made = await db.write((tx) => createKey(tx, sources, scope.partner_name, scope.environment, end))
    const rotated = await db.write((tx) => rotateKey(tx, sources, made.row.id, 86_400_000))
    expect(rotated.oldExpiresAt).toBe(end)
  })
})
