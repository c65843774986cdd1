import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { forAllTests } from '../support/each.ts'
import { operatorWith, root } from '../support/operator.ts'

const operator = forAllTests(operatorWith())

describe('--watch', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'draws on a screen of its own; %s restores the terminal and exits 0',
    async (signal) => {
      const env = { NODE_OPTIONS: `--require ${join(root, 'test', 'support', 'pretend-terminal.cjs')}` }
      const running = operator.start(['items', 'summary', '--watch', '600'], { env })
      // From here on it is stopped by a signal, not killed.
      await once(running.stdout as Readable, 'data')
      running.kill(signal)
      const { exitCode, stdout, stderr } = await running
      expect([exitCode, stderr]).toEqual([0, ''])
      expect(String(stdout).startsWith('\u001b[?1049h\u001b[?25l\u001b[?7l')).toBe(true)
      expect(String(stdout).endsWith('\u001b[?7h\u001b[?25h\u001b[?1049l')).toBe(true)
    },
  )

  test('exits 2 without a terminal and names the flag', async () => {
    const { exitCode, stdout, stderr } = await operator.run(['items', 'ls', '--watch', '5'])
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toBe('custody items ls: --watch needs a terminal to draw on. Leave it out here.\n')
  })

  test('exits 2 without its seconds and names their unit', async () => {
    const { exitCode, stderr } = await operator.run(['status', '--watch'])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("'--watch <seconds>' argument missing")])
  })
})
