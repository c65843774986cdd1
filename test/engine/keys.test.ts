import { describe, expect, test } from 'vitest'
import { timeOfUuid } from '../../src/domain/uuid.ts'
import {
  createKey,
  createPartner,
  endKey,
  findKeyNamed,
  issueKey,
  rotateKey,
} from '../../src/engine/partners.ts'
import { insertKey, listKeyHolders } from '../../src/store/tables/keys.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { databases } from '../support/harness.ts'

describe.each(databases)('keys over $name (decisions 1)', (database) => {
  const harness = forEachTest(harnessWith(database))

  test('get a successor with the same lifetime', async () => {
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

  test('get a successor without an expiry if they have none', async () => {
    const { db, sources, scope } = harness
    const made = await db.write((tx) => createKey(tx, sources, scope.partner_name, scope.environment, null))
    const rotated = await db.write((tx) => rotateKey(tx, sources, made.row.id, 0))
    expect(rotated.row.expires_at).toBeNull()
  })

  test('live no longer by a grace that ends after they expire', async () => {
    const { db, sources, scope } = harness
    const end = '2026-05-01T10:00:00.000Z'
    const made = await db.write((tx) => createKey(tx, sources, scope.partner_name, scope.environment, end))
    const rotated = await db.write((tx) => rotateKey(tx, sources, made.row.id, 86_400_000))
    expect(rotated.oldExpiresAt).toBe(end)
  })

  test('reject a grace below zero or above seven days, and accept the bounds', async () => {
    const { db, sources, scope } = harness
    const rotate = async (grace: number) => {
      const { row } = await db.write((tx) =>
        createKey(tx, sources, scope.partner_name, scope.environment, null),
      )
      return db.write((tx) => rotateKey(tx, sources, row.id, grace))
    }
    for (const grace of [-1, 7 * 86_400_000 + 1, Number.NaN])
      await expect(rotate(grace)).rejects.toMatchObject({
        code: 'validation_error',
        extra: { fields: { grace: ['must be from 0 to 7 days'] } },
      })
    expect((await rotate(7 * 86_400_000)).oldExpiresAt).toBe('2026-05-08T09:00:00.000Z')
  })

  test('are rotated once: the end of the first grace is not the lifetime of another key', async () => {
    const { db, sources, scope } = harness
    const { row } = await db.write((tx) => issueKey(tx, sources, scope))
    const rotate = () => db.write((tx) => rotateKey(tx, sources, row.id, 86_400_000))
    expect((await rotate()).row.expires_at).toBeNull()
    harness.pass(3_600_000)
    await expect(rotate()).rejects.toMatchObject({
      code: 'state_conflict',
      message: `The key ${row.prefix}\u2026 was replaced at 2026-05-01T09:00:00.000Z: rotate the new key, or create one.`,
    })
  })

  test('are rotated once, also by several at the same moment', async () => {
    const { db, sources, scope } = harness
    const { row } = await db.write((tx) => issueKey(tx, sources, scope))
    const atOnce = <T>(task: () => Promise<T>) => Promise.allSettled(Array.from({ length: 8 }, task))
    const count = async () => (await db.read((tx) => listKeyHolders(tx))).length
    // Opens the connections, so that no rotation waits for one.
    await atOnce(count)
    const before = await count()
    const outcomes = await atOnce(() => db.write((tx) => rotateKey(tx, sources, row.id, 0)))
    const reasons = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason.code] : [],
    )
    expect(reasons).toEqual(Array(7).fill('state_conflict'))
    expect(await count()).toBe(before + 1)
  })

  test('are not rotated once expired, or revoked twice', async () => {
    const { db, sources, scope } = harness
    const { partner_name, environment } = scope
    const end = '2026-05-01T10:00:00.000Z'
    const { row } = await db.write((tx) => createKey(tx, sources, partner_name, environment, end))
    const { row: other } = await db.write((tx) => createKey(tx, sources, partner_name, environment, null))
    harness.pass(3_600_000)
    const rotate = (id: string) => db.write((tx) => rotateKey(tx, sources, id, 0))
    const revoke = () => db.write((tx) => endKey(tx, sources, other.id))
    await expect(rotate(row.id)).rejects.toMatchObject({
      code: 'state_conflict',
      message: `The key ${row.prefix}\u2026 expired at ${end}; create a new one.`,
    })
    expect(await revoke()).toMatchObject({ id: other.id })
    const revoked = {
      code: 'state_conflict',
      message: `The key ${other.prefix}\u2026 was revoked at ${end}.`,
    }
    await expect(revoke()).rejects.toMatchObject(revoked)
    await expect(rotate(other.id)).rejects.toMatchObject(revoked)
  })

  test('are found by id or by prefix, unless another has the same prefix', async () => {
    const { db, sources, scope } = harness
    const one = await db.write((tx) => issueKey(tx, sources, scope))
    const found = (name: string) => db.write((tx) => findKeyNamed(tx, name))
    expect((await found(one.row.prefix)).id).toBe(one.row.id)
    expect((await found(one.row.id)).id).toBe(one.row.id)
    await expect(found('sk_sandbox_000000')).rejects.toMatchObject({ code: 'not_found' })
    await db.write((tx) => insertKey(tx, { ...one.row, id: 'another', hash: 'another' }))
    await expect(found(one.row.prefix)).rejects.toMatchObject({
      code: 'state_conflict',
      message: `Several keys start with ${one.row.prefix}; give the id of one.`,
    })
  })

  test('have distinct identifiers of the machine’s time', async () => {
    const { db, sources } = harness
    const ids: string[] = []
    for (const name of ['Kestrel', 'Merlin'])
      ids.push((await db.write((tx) => createPartner(tx, sources, `${name} ${harness.scope.id}`))).id)
    expect(ids.map(timeOfUuid)).toEqual(['2026-05-01T09:00:00.000Z', '2026-05-01T09:00:00.000Z'])
    expect(ids[0]).not.toBe(ids[1])
  })

  test('need an existing partner, and a partner has one name', async () => {
    const { db, sources, scope } = harness
    await expect(db.write((tx) => createPartner(tx, sources, scope.partner_name))).rejects.toMatchObject({
      code: 'state_conflict',
      message: `A partner named ${scope.partner_name} already exists.`,
    })
    await expect(
      db.write((tx) => createKey(tx, sources, 'Nobody', scope.environment, null)),
    ).rejects.toMatchObject({ code: 'not_found' })
  })
})
