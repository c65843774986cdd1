import { once } from 'node:events'
import { renameSync, rmSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { execa, type ResultPromise } from 'execa'
import { describe, expect, test } from 'vitest'
import type { WebhookEvent } from '../../src/contract/resources/event.ts'
import { forEachTest } from '../support/each.ts'
import { operatorWith, root } from '../support/operator.ts'

const operator = forEachTest(operatorWith())

describe('events', () => {
  test('tail prints the last events and stops; ls starts with the first event', async () => {
    const all = await operator.look<WebhookEvent[]>(['events', 'ls', '--all'])
    const last = await operator.json<WebhookEvent[]>(['events', 'tail', '--limit', '3'])
    expect(last).toEqual(all.slice(-3))
    const first = await operator.run(['events', 'ls', '--limit', '2', '--json'])
    expect(JSON.parse(first.stdout)).toEqual(all.slice(0, 2))
    expect(first.stderr).toBe('the first 2; --all for the rest\n')
  })

  test('are filtered by type, by time, and by the event before them', async () => {
    const all = await operator.look<WebhookEvent[]>(['events', 'ls', '--all'])
    const types = 'transfer.completed,transfer.declined'
    const some = await operator.json<WebhookEvent[]>(['events', 'tail', '--from-start', '--type', types])
    expect(some.map(({ type }) => type)).toEqual(['transfer.completed', 'transfer.declined'])
    const recent = await operator.json<WebhookEvent[]>(['events', 'tail', '--since', '36h'])
    const since = new Date(Date.now() - 36 * 3_600_000).toISOString()
    expect(recent).toEqual(all.filter(({ created_at }) => created_at >= since))
    const after = await operator.json<WebhookEvent[]>(['events', 'tail', '--since', all.at(-3)?.id ?? ''])
    expect(after).toEqual(all.slice(-2))
    const wrong = await operator.run(['events', 'tail', '--type', 'transfer.complete'])
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('Did you mean transfer.completed?'),
    ])
  })

  test('show prints one event by id; an unknown id exits 4', async () => {
    const [event] = await operator.json<WebhookEvent[]>(['events', 'tail', '--limit', '1'])
    expect(await operator.json<WebhookEvent>(['events', 'show', event?.id ?? ''])).toEqual(event)
    expect((await operator.run(['events', 'show', '0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d70'])).exitCode).toBe(4)
  })
})

describe('events tail --follow', () => {
  test("prints another process's events as they happen, and stops cleanly on SIGTERM", async () => {
    const tail = follow('--limit', '1')
    await tail.lines(1)
    const [transfer] = await operator.json<Array<{ id: string }>>([
      'transfers',
      'ls',
      '--status',
      'requested',
    ])
    await operator.run(['sandbox', 'transfer', transfer?.id ?? '', '--to', 'declined'])
    const events = await tail.lines(5)
    expect(events.slice(-4).map(({ type }) => type)).toEqual([
      'transfer.declined',
      'item.status.changed',
      'item.status.changed',
      'item.status.changed',
    ])
    expect(await tail.stop('SIGTERM')).toBe(0)
  })

  test('ends quietly when its reader leaves, but not as if the events had ended', async () => {
    const command = `"${process.execPath}" bin/custody.js events tail --follow --from-start | head -1; echo "\${PIPESTATUS[0]}"`
    const env = { CUSTODY_DATABASE: operator.database }
    const { stdout, stderr } = await execa(command, { shell: 'bash', cwd: root, env })
    expect([stdout.split('\n').at(-1), stderr]).toEqual(['8', ''])
  })

  test('completes the partial line that a killed run left in the file', async () => {
    const whole = await operator.run(['events', 'tail', '--limit', '2', '--output', 'ndjson'])
    await operator.run(['events', 'tail', '--limit', '3', '--cursor-file', 'cursor'])
    const [before, last] = parse(whole.stdout)
    operator.write('cursor', operator.read('cursor').replace(last?.id ?? '', before?.id ?? ''))
    operator.write('events.ndjson', whole.stdout.slice(0, -100))
    const command = `"${process.execPath}" "${root}/bin/custody.js" events tail --cursor-file cursor -o ndjson >> events.ndjson`
    const env = { CUSTODY_DATABASE: operator.database }
    await execa(command, { shell: 'bash', cwd: operator.folder, env })
    expect(operator.read('events.ndjson')).toBe(whole.stdout)
  })

  test('says how to continue if the data were restored from a backup that lacks the last event', async () => {
    await operator.run(['db', 'backup', 'backup.db'])
    const [item] = await operator.json<Array<{ qid: string }>>(['items', 'ls', '--status', 'received'])
    await operator.run(['sandbox', 'advance', item?.qid ?? '', '--to', 'available'])
    await operator.run(['events', 'tail', '--cursor-file', 'cursor'])
    for (const end of ['-wal', '-shm']) rmSync(`${operator.database}${end}`, { force: true })
    renameSync(operator.path('backup.db'), operator.database)
    const { exitCode, stderr } = await operator.run(['events', 'tail', '--cursor-file', 'cursor'])
    expect([exitCode, stderr]).toEqual([6, expect.stringMatching(/another partner's.*the backup's time/)])
  })

  test('saves the position of an unused cursor file before it handles an event', async () => {
    await operator.run(['events', 'tail', '--limit', '0', '--cursor-file', 'cursor'])
    await operator.run(['sandbox', 'receive', 'BS-2031'])
    const { stdout } = await operator.run(['events', 'tail', '--cursor-file', 'cursor', '-o', 'ndjson'])
    expect(parse(stdout).length).toBeGreaterThan(10)
    const nothing = await operator.run(['events', 'tail', '--cursor-file', 'cursor', '-o', 'ndjson'])
    expect(nothing.stdout).toBe('')
  })

  test('prints nothing if a jq program fails on the whole list, and the next run starts with the same event', async () => {
    const args = ['events', 'tail', '--limit', '3', '--cursor-file', 'cursor']
    const failed = await operator.run([...args, '--jq', '.[0].id | error'])
    expect([failed.exitCode, failed.stdout]).toEqual([2, ''])
    const again = await operator.run([...args, '--jq', '.[].id'])
    const last = await operator.json<WebhookEvent[]>(['events', 'tail', '--limit', '3'])
    expect(again.stdout).toBe(last.map(({ id }) => `${id}\n`).join(''))
    expect(await operator.json(args)).toEqual([])
  })

  test.each(['', 'nonsense', '{"after":"x","target":"y"}', '{"after":null,"target":"of another database"}'])(
    'exits 6 if the cursor file has %j, damaged or foreign, and skips nothing',
    async (text) => {
      operator.write('cursor', text)
      const { exitCode, stdout, stderr } = await operator.run(['events', 'tail', '--cursor-file', 'cursor'])
      expect([exitCode, stdout]).toEqual([6, ''])
      expect(stderr).toMatch(
        /^custody events tail: The cursor file .*cursor (is damaged|belongs to another target); nothing was read\./,
      )
      expect(operator.read('cursor')).toBe(text)
    },
  )
})

type Tail = {
  child: ResultPromise
  /** Resolves once that many events have arrived. */
  lines(count: number): Promise<WebhookEvent[]>
  seen(): WebhookEvent[]
  stop(signal: NodeJS.Signals): Promise<number | undefined>
}

function follow(...args: string[]): Tail {
  const child = operator.start(['events', 'tail', '--follow', '--output', 'ndjson', ...args], {
    buffer: false,
  })
  let text = ''
  const stdout = child.stdout as Readable
  stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  const seen = (): WebhookEvent[] => parse(text)
  return {
    child,
    seen,
    async lines(count) {
      while (seen().length < count) await once(stdout, 'data')
      return seen()
    },
    async stop(signal) {
      const closed = once(stdout, 'close')
      child.kill(signal)
      const { exitCode } = await child
      await closed
      return exitCode
    },
  }
}

/** Only whole lines: a killed process may leave a partial one. */
function parse(text: string): WebhookEvent[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as WebhookEvent)
}
