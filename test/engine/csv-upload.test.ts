import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { manifestChecker, manifestColumns } from '../../src/domain/manifests/manifest-csv.ts'
import { checkUpload, errorList, inFileOrder } from '../../src/engine/csv-upload.ts'
import { withTurns } from '../support/turns.ts'

const header = 'external_ref,description,quantity\n'
const check = (text: string) => checkUpload(Buffer.from(text), manifestColumns, manifestChecker, () => false)

/** As many rows as a file may have, within the size limit. */
const blankLines = `${' '.repeat(400)}\n`.repeat(49_000)

/** Number of turns for others until the task ended. */
async function turnsDuring(task: Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const over = task.finally(() => {
    isOver = true
  })
  for (; !isOver; turns++) await setImmediate()
  await over
  return turns
}

test.each([
  ['blank lines before the header', `${blankLines}${header}A,Box,1\n`],
  ['blank lines after the last row', `${header}A,Box,1\n${blankLines}`],
  ['only faulty rows', header + 'A,,0\n'.repeat(40_000)],
])('other work proceeds while %s are read', async (_, text) => {
  await check(`${header}A,,0\n`)
  expect(await turnsDuring(check(text))).toBeGreaterThan(3)
})

test('five hundred faulty rows are reported before other work proceeds', async () => {
  let turns = 0
  withTurns(() => {
    turns += 1
  }, 10)
  const turnsFor = async (rows: number) => {
    turns = 0
    await check(header + 'A,,0\n'.repeat(rows))
    return turns
  }
  expect([await turnsFor(499), await turnsFor(500), await turnsFor(1_000)]).toEqual([2, 3, 4])
})

test("faulty rows that need a lookup stay in the file's order", async () => {
  const text = `${header}A,,1\nB,Box,2\nC,Box,x\nD,Box,1\nE,,1\n`
  const checked = await checkUpload(Buffer.from(text), manifestColumns, manifestChecker, () => true)
  expect(checked.errors).toEqual([])
  expect(inFileOrder(checked).map(({ row, error }) => [row, error?.row])).toEqual([
    [1, 1],
    [2, undefined],
    [3, 3],
    [4, undefined],
    [5, 5],
  ])
})

test("errors are those of the rows, rendered, in the file's order", async () => {
  const { accepted, errors } = await check(`${header}A,,1\n\nB,Box,2\nC,Box,x\n`)
  expect(accepted.map(({ row }) => row)).toEqual([2])
  expect(JSON.parse(`[${(await errorList(errors.reverse())).join('')}]`)).toEqual([
    {
      row: 1,
      code: 'validation_error',
      fields: { description: ['is required'] },
      message: 'description is required.',
    },
    {
      row: 3,
      code: 'validation_error',
      fields: { quantity: ['"x" must be a whole number of 1 or more'] },
      message: 'quantity "x" must be a whole number of 1 or more.',
    },
  ])
})
