import { once } from 'node:events'
import { mkdirSync, readdirSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { newOperator } from '../support/operator.ts'

test("demo tells the whole story with each command's real output, and leaves nothing behind", async () => {
  const operator = await newOperator('none')
  const folder = operator.path('tmp')
  mkdirSync(folder)
  // The demo uses its own database, whatever targets are configured.
  const { exitCode, stdout, stderr } = await operator.run(['demo'], {
    env: {
      TMPDIR: folder,
      CUSTODY_PROFILE: 'nobody',
      CUSTODY_BASE_URL: 'https://custody.example/v1',
      CUSTODY_API_KEY: 'sk_sandbox_none',
      CUSTODY_DATABASE: 'postgres://nowhere.example/x',
    },
  })
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
  expect(readdirSync(folder)).toEqual([])
  expect(readdirSync(operator.folder)).toEqual(['tmp'])
  operator.leave()
})

test('demo without a terminal continues after a hang-up, as nohup asks', async () => {
  const operator = await newOperator('none')
  const folder = operator.path('tmp')
  mkdirSync(folder)
  const running = operator.start(['demo'], { env: { TMPDIR: folder } })
  await once(running.stdout as Readable, 'data')
  running.kill('SIGHUP')
  expect((await running).exitCode).toBe(0)
  expect(readdirSync(folder)).toEqual([])
  operator.leave()
})

test.each([
  ['demo', 'SIGINT', 130],
  ['demo', 'SIGTERM', 143],
  ['conformance', 'SIGTERM', 143],
] as const)(
  '%s ends at once on %s with exit code %i and leaves no folder behind',
  async (word, signal, code) => {
    const operator = await newOperator('none')
    const folder = operator.path('tmp')
    mkdirSync(folder)
    const running = operator.start([word], { env: { TMPDIR: folder } })
    await once((word === 'demo' ? running.stdout : running.stderr) as Readable, 'data')
    running.kill(signal)
    expect((await running).exitCode).toBe(code)
    expect(readdirSync(folder)).toEqual([])
    operator.leave()
  },
)

test('demo without a temporary folder says so and exits 8', async () => {
  const operator = await newOperator('none')
  const place = `${operator.write('a-file', '')}/tmp`
  for (const args of [['demo'], ['products', 'import', '-'], ['conformance']]) {
    const { exitCode, stderr } = await operator.run(args, { env: { TMPDIR: place } })
    expect([exitCode, stderr]).toEqual([
      8,
      `custody ${args.filter((word) => word !== '-').join(' ')}: Cannot create a folder for temporary files in ${place}: part of its path is a file, not a folder. Name another folder with TMPDIR.\n`,
    ])
  }
  operator.leave()
})
