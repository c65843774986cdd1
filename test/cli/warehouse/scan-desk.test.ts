import { afterEach, expect, test } from 'vitest'
import { answer, book, type ScanDesk } from '../../../src/cli/commands/warehouse/scan-desk.ts'
import type { UnitOfWork } from '../../../src/engine/context.ts'
import { type Tx, transactionOver } from '../../../src/store/database.ts'
import { box } from '../../support/box.ts'
import { databases, type Harness, startHarness } from '../../support/harness.ts'
import { slab, slabLine, submit } from '../../support/manifests.ts'
import { untilWaitedFor } from '../../support/row-waits.ts'
import { withWork } from '../../support/with-work.ts'

let harness: Harness
afterEach(() => harness.close())

test.each(databases)(
  'a code is answered from a few rows, however many lines its manifest has ($name)',
  async (database) => {
    harness = await startHarness(database)
    await harness.client.createProduct({ body: { ...box('BOX'), upc: '012345678905' } })
    const slabs = Array.from({ length: 2_000 }, (_, at) => slabLine(`${48_000_000 + at}`))
    await submit(harness.client, 'PO-9', [...slabs, { description: 'Boxes', sku: 'BOX', quantity: 2 }])
    const read = { rows: 0 }
    const inUnitOfWork: ScanDesk['inUnitOfWork'] = (task) =>
      withWork(harness, (work) => task(counted(work, read)))
    const desk = deskOf({ inUnitOfWork, grade: '9' })
    const answers: string[] = []
    for (const code of ['po-9', '48001999', 'BOX', 'box', '0012345678905', '48001999']) {
      const { word, about } = await answer(desk, code)
      answers.push(`${word} ${about}`)
    }
    expect(answers).toEqual([
      'manifest PO-9, 2002 units to come',
      'ok 1/2002  Slab 48001999',
      'ok 2/2002  Boxes',
      'ok 3/2002  Boxes',
      'unexpected 3/2002  no line of the manifest still expects it',
      expect.stringMatching(/^twice 48001999 was already received: Q-.*, received$/),
    ])
    expect(read.rows).toBeLessThan(150)
  },
)

test.each(databases)(
  'a slab that two desks book for two partners at one moment is received once ($name)',
  async (database) => {
    harness = await startHarness(database, { environment: 'production' })
    const { scope, strangerScope } = harness
    const booked = Promise.withResolvers<Tx>()
    const maySave = Promise.withResolvers<void>()
    const first = deskOf({
      inUnitOfWork: (task) =>
        withWork(harness, async (work) => {
          const done = await task(work)
          booked.resolve(work.tx)
          await maySave.promise
          return done
        }),
      held: scanned('48201934'),
    })
    const second = deskOf({
      inUnitOfWork: (task) => withWork(harness, task, strangerScope),
      held: scanned('psa 4820-1934'),
    })
    const firstEnds = book(first)
    const tx = await booked.promise
    const secondEnds = book(second)
    await Promise.race([secondEnds, untilWaitedFor(harness.db, tx)])
    maySave.resolve()
    await Promise.all([firstEnds, secondEnds])
    expect([first.booked, second.booked, first.missed]).toEqual([1, 0, []])
    expect(second.missed).toEqual([
      expect.stringMatching(
        `^psa 4820-1934 was not received: it is already in custody: Q-.*, received, for ${scope.partner_name}$`,
      ),
    ])
  },
)

function deskOf(desk: Pick<ScanDesk, 'inUnitOfWork'> & Partial<ScanDesk>): ScanDesk {
  return { grade: undefined, lint: true, missed: [], scanned: 0, booked: 0, wrong: 0, ...desk }
}

function scanned(code: string): NonNullable<ScanDesk['held']> {
  return { code, line: undefined, arrival: { ...slab(code), condition_flags: [] } }
}

/** The work, counting each row that it reads. */
function counted(work: UnitOfWork, read: { rows: number }): UnitOfWork {
  const { tx } = work
  const all: typeof tx.all = async (...args) => {
    const rows = await tx.all(...args)
    read.rows += rows.length
    return rows as never
  }
  return { ...work, tx: transactionOver({ ...tx, all }) }
}
