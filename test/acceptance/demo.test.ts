import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { newOperator } from '../support/operator.ts'

test('demo tells the whole story in seconds, each command with its real output, and leaves nothing behind', async () => {
  const operator = await newOperator('none')
  const before = demoFolders()
  const started = performance.now()
  const { exitCode, stdout, stderr } = await operator.run(['demo'])
  expect(performance.now() - started).toBeLessThan(10_000)
  expect(exitCode).toBe(0)
  const commands = stdout.split('\n').filter((line) => line.startsWith('$ custody '))
  expect(commands.map((line) => line.split(' ').slice(2, 4).join(' '))).toEqual([
    'products import',
    'manifests submit',
    'sandbox receive',
    'sandbox intake',
    'items ls',
    'sandbox advance',
    'fulfillments import',
    'fulfillments ls',
    'sandbox fulfillment',
    'sandbox fulfillment',
    'items show',
    'transfers request',
    'sandbox transfer',
    'manifests close',
    'manifests report',
    'items summary',
    'events tail',
  ])
  expect(stderr).toContain('2 rows failed:')
  expect(stderr).toContain(
    'BS-4471 is reconciled: 21 matched, 1 missing, 1 with a condition mismatch, 1 unexpected.',
  )
  expect(stdout).toContain('manifest.reconciliation.completed')
  expect(demoFolders()).toEqual(before)
  expect(readdirSync(operator.folder)).toEqual([])
  operator.leave()
})

function demoFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('custody-demo-'))
}
