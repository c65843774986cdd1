import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { sql } from '../../src/store/database.ts'
import { type Fleet, startFleet } from '../support/fleet.ts'
import { type SharedDatabase, sharedDatabases } from '../support/shared-database.ts'
import { chanceOf, scale, seed } from '../support/soak.ts'

const processes = 4
const writers = 16
const readers = 4
const worksEach = scale(10, 2400)

describe.each(sharedDatabases)(
  `reading the log while it is written, over $name (seed ${seed})`,
  ({ make }) => {
    let shared: SharedDatabase
    let fleet: Fleet
    beforeAll(async () => {
      shared = await make()
      fleet = await startFleet(shared.place, processes)
    })
    afterAll(async () => {
      await fleet.stop()
      await shared.close()
    })

    test('16 writers with delays and rollbacks and 4 readers of pages of 1 to 250 lose nothing, repeat nothing, and leave no gap', async () => {
      const { scope, key } = await shared.partner('Cursor')
      let isWritten = false
      const written = Promise.all(
        Array.from({ length: writers }, (_, i) =>
          fleet.write(i, {
            scope,
            works: worksEach,
            eventsMost: 10,
            rollbackShare: 0.05,
            delayMsMost: 5,
            seed: seed + i,
          }),
        ),
      ).finally(() => {
        isWritten = true
      })
      const read = Promise.all(
        Array.from({ length: readers }, (_, i) =>
          readAll(fleet.client(i, key), chanceOf(seed + writers + i), () => isWritten),
        ),
      )
      const committed = (await written).reduce((sum, events) => sum + events, 0)
      const logged = await shared.db.read((tx) =>
        tx.all<{ id: string; seq: number }>(
          sql`select id, seq from events where scope_id = ${scope.id} order by seq`,
        ),
      )
      expect(logged.map(({ seq }) => seq)).toEqual(Array.from({ length: committed }, (_, i) => i + 1))
      const inOrder = logged.map(({ id }) => id)
      for (const ids of await read) expect(ids).toEqual(inOrder)
    })
  },
)

/** Follows the log by cursor from its start, until everything is written and the page is empty. */
async function readAll(client: Client, chance: () => number, isWritten: () => boolean): Promise<string[]> {
  const ids: string[] = []
  let starting_after: string | undefined
  for (;;) {
    const isLast = isWritten()
    const page_size = 1 + Math.floor(chance() * 250)
    const { data } = await client.listEvents({ query: { starting_after, page_size } })
    for (const { id } of data.results) ids.push(id)
    starting_after = data.next_starting_after ?? starting_after
    if (isLast && data.results.length === 0) return ids
  }
}
