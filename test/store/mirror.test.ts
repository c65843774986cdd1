import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { resourceFields } from '../../src/cli/base/schema-fields.ts'
import type { OperationId } from '../../src/contract/operations.ts'
import { openMirror, queryMirror } from '../../src/store/mirror.ts'
import { scratch } from '../support/scratch.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(scratch, 'custody-mirror-'))
  file = join(folder, 'mirror.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const event = (no: number, status = 'received') => {
  const item = { qid: `Q-${no % 3}`, status, name: 'Card' }
  const data = status === 'received' ? { qid: item.qid, condition_flags: [], item } : item
  const type = status === 'received' ? 'item.intake.completed' : 'item.status.changed'
  return { id: `id-${no}`, type, created_at: '2026-01-01', data, text: JSON.stringify({ no }) }
}

function rows(query: string): unknown[] {
  const { rows: found, close } = queryMirror(file, query)
  const all = [...found]
  close()
  return all
}

test("a page that fails leaves the previous page's rows and position", () => {
  const mirror = openMirror(file, 'one')
  mirror.add([event(1), event(2)])
  const broken = Object.defineProperty(event(4), 'text', {
    get: () => {
      throw new Error('cut off')
    },
  })
  expect(() => mirror.add([event(3), event(7, 'available'), broken])).toThrow('cut off')
  expect(mirror.state()).toEqual({ after: 'id-2', events: 2 })
  mirror.close()
  const again = openMirror(file, 'one')
  expect(again.state()).toEqual({ after: 'id-2', events: 2 })
  again.add([event(3), event(4, 'available')])
  again.close()
  expect(rows('select seq, id from events')).toEqual([1, 2, 3, 4].map((seq) => ({ seq, id: `id-${seq}` })))
  expect(rows('select qid, status from items order by qid')).toEqual([
    { qid: 'Q-0', status: 'received' },
    { qid: 'Q-1', status: 'available' },
    { qid: 'Q-2', status: 'received' },
  ])
})

/** With the fields that it leaves out, or stores in other columns or tables. */
test.each<[string, OperationId, leftOut: string[]]>([
  ['items', 'getItem', ['model_3d']],
  ['intakes', 'listIntakes', ['item']],
  [
    'fulfillments',
    'getFulfillment',
    ['qids', 'processing_stage', 'shipping_address', 'issue', 'verified_address_id'],
  ],
  ['transfers', 'getTransfer', ['qids']],
])('%s has a column for each field of %s', (table, id, leftOut) => {
  openMirror(file, 'one').close()
  const columns = rows(`select name from pragma_table_info('${table}')`).map((row) => (row as Named).name)
  const fields = resourceFields(id).filter((field) => !field.includes('.'))
  expect(fields.filter((field) => !columns.includes(field))).toEqual(leftOut)
})

type Named = { name: string }

test('one of two simultaneous runs is rejected, and no event is written twice', () => {
  const [one, other] = [openMirror(file, 'one'), openMirror(file, 'one')]
  one.add([event(1)])
  expect(() => other.add([event(1)])).toThrow('Another process has written')
  for (const mirror of [one, other]) mirror.close()
  expect(rows('select count(*) as n from events')).toEqual([{ n: 1 }])
})

test('a query can neither change the mirror nor hide behind another', () => {
  openMirror(file, 'one').close()
  expect(() => queryMirror(file, 'select 1; drop table items')).toThrow('one query at a time')
  expect(() => queryMirror(file, 'drop table items')).toThrow('not authorized')
  expect(() => rows('with t as (select 1) delete from items returning qid')).toThrow('not authorized')
})
