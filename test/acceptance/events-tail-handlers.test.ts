import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { WebhookEvent } from '../../src/contract/resources/event.ts'
import { forAllTests } from '../support/each.ts'
import { listening } from '../support/free-port.ts'
import { operatorWith } from '../support/operator.ts'

const operator = forAllTests(operatorWith())
let all: WebhookEvent[]

// Nothing here changes the database.
beforeAll(async () => {
  all = await operator.look<WebhookEvent[]>(['events', 'ls', '--all'])
})
afterEach(() => {
  for (const file of ['cursor', 'gate']) rmSync(operator.path(file), { force: true })
})

/** For a command: waits until the test has created the file. */
const atGate = 'until test -e gate; do sleep 0.02; done'
const openGate = () => operator.write('gate', '')

function tail(...args: string[]) {
  return operator.real(['events', 'tail', '--cursor-file', 'cursor', ...args])
}

function cursor(): unknown {
  return JSON.parse(operator.read('cursor')).after
}

/** Counted from the end: `last(1)` is the last event. */
function last(count: number): WebhookEvent {
  return all.at(-count) as WebhookEvent
}

describe('events tail --exec', () => {
  test('runs the command once for each event in order, with its JSON on stdin and its id and type in variables', async () => {
    const command = 'printf "%s " "$CUSTODY_EVENT_ID" "$CUSTODY_EVENT_TYPE" "$CUSTODY_EVENT_CREATED_AT"; cat'
    const expected = all
      .slice(-3)
      .map((event) => `${event.id} ${event.type} ${event.created_at} ${JSON.stringify(event)}\n`)
    expect(await tail('-n', '3', '--exec', command)).toEqual({
      exitCode: 0,
      stdout: expected.join(''),
      stderr: '',
    })
    expect(cursor()).toBe(last(1).id)
  })

  test('retries, in order, until the command succeeds, whether it fails or is killed', async () => {
    const command =
      'echo "$CUSTODY_EVENT_ID $CUSTODY_EVENT_ATTEMPT"; case $CUSTODY_EVENT_ATTEMPT in 1) exit 3;; 2) kill -9 $$;; esac'
    const { exitCode, stdout, stderr } = await tail('-n', '1', '--exec', command)
    const { id } = last(1)
    expect([exitCode, stdout]).toEqual([0, `${id} 1\n${id} 2\n${id} 3\n`])
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/ failed: the command exited with 3\. Trying again for up to 120 s\.$/),
      expect.stringMatching(/ failed: the command was killed by SIGKILL\. Trying again for up to 120 s\.$/),
      `${last(1).type} ${id}: handled on attempt 3`,
      '',
    ])
  })

  test.each([
    [8, ['--max-wait', '0']],
    [9, ['--on-failure', 'stop']],
  ])('exits with %i with %j and leaves the cursor before the event', async (code, flags) => {
    const message = 'Fix the cause, then run the command again: it starts with this event, which is not lost.'
    const command = `echo $CUSTODY_EVENT_ID; test $CUSTODY_EVENT_ID != ${last(2).id}`
    const first = await tail('-n', '3', '--exec', command, ...flags)
    expect([first.exitCode, first.stderr]).toEqual([code, expect.stringContaining(message)])
    expect(first.stdout).toBe(`${last(3).id}\n${last(2).id}\n`)
    expect(cursor()).toBe(last(3).id)
    const next = await tail('--exec', 'echo $CUSTODY_EVENT_ID')
    expect(next).toEqual({ exitCode: 0, stdout: `${last(2).id}\n${last(1).id}\n`, stderr: '' })
  })

  test('says why the command cannot be started', async () => {
    mkdirSync(operator.path('gone'))
    const args = ['events', 'tail', '-n', '2', '--on-failure', 'stop', '--exec', 'rmdir "$PWD"']
    const { exitCode, stderr } = await operator.start(args, { cwd: operator.path('gone') })
    expect([exitCode, stderr]).toEqual([
      9,
      expect.stringContaining(`${last(1).id} failed: the command cannot be started (ENOENT)`),
    ])
  })

  test('without a cursor, says how to start with the event that failed', async () => {
    const { id, created_at } = last(1)
    const failing = ['events', 'tail', '-n', '1', '--exec', 'false', '--max-wait', '0']
    const failed = await operator.real(failing)
    const message = `Fix the cause, then run the command with --since ${created_at}: it starts with this event, which is not lost.`
    expect([failed.exitCode, failed.stderr]).toEqual([8, expect.stringContaining(message)])
    const next = await operator.real([
      'events',
      'tail',
      '--since',
      created_at,
      '--exec',
      'echo $CUSTODY_EVENT_ID',
    ])
    expect(next.stdout).toContain(id)
  })

  test('without a cursor, says how to start right after the event before the one that failed', async () => {
    const command = `test $CUSTODY_EVENT_ID != ${last(1).id}`
    const failed = await operator.real(['events', 'tail', '-n', '2', '--exec', command, '--max-wait', '0'])
    expect(failed.stderr).toContain(`run the command with --since ${last(2).id}: it starts with this event`)
    const next = ['events', 'tail', '--since', last(2).id, '--exec', 'echo $CUSTODY_EVENT_ID']
    expect((await operator.real(next)).stdout).toBe(`${last(1).id}\n`)
  })

  test('skips an event with --on-failure skip, says so, and exits 9', async () => {
    const command = `echo $CUSTODY_EVENT_ID; test $CUSTODY_EVENT_ID != ${last(2).id}`
    const { exitCode, stdout, stderr } = await tail('-n', '3', '--exec', command, '--on-failure', 'skip')
    expect([exitCode, stdout]).toEqual([9, `${last(3).id}\n${last(2).id}\n${last(1).id}\n`])
    expect(stderr).toContain(`${last(2).id} failed: the command exited with 1. Skipped.\n`)
    expect(stderr).toContain('1 event was skipped\n')
    expect(cursor()).toBe(last(1).id)
  })

  test('handles as many events at once as --concurrency allows', async () => {
    const running = start('-n', '4', '--concurrency', '3', '--exec', `echo begun; ${atGate}`)
    await running.printed('begun\n'.repeat(3))
    openGate()
    await running.printed('begun\n'.repeat(4))
    expect(await running.ended).toBe(0)
    expect(cursor()).toBe(last(1).id)
  })

  test('a second run with the same cursor file exits 5 and handles nothing, however the first one ends', async () => {
    const killed = start('-n', '1', '--exec', 'echo $$; exec sleep 1000')
    await killed.printed('\n')
    const second = await tail('-n', '1', '--exec', 'echo twice')
    expect([second.exitCode, second.stdout]).toEqual([5, ''])
    expect(second.stderr).toMatch(
      /: Another run uses the cursor file .*cursor; nothing was read\. Wait until it ends/,
    )
    process.kill(killed.pid, 'SIGKILL')
    process.kill(Number(killed.text()))
    await killed.ended
    expect(await tail('--exec', 'echo once')).toMatchObject({ exitCode: 0, stdout: 'once\n' })
    expect(await tail('--exec', 'echo twice')).toMatchObject({ exitCode: 0, stdout: '' })
    expect(existsSync(operator.path('cursor.lock'))).toBe(false)
  })
})

describe('stopping events tail --exec', () => {
  test('Ctrl-C lets the running command finish, starts no other, and exits 0', async () => {
    const command = `echo begun $CUSTODY_EVENT_ID; ${atGate}; echo done`
    const running = start('--follow', '-n', '3', '--exec', command)
    await running.printed(`begun ${last(3).id}\n`)
    // Signals every process in the foreground, as a terminal does.
    process.kill(-running.pid, 'SIGINT')
    await running.complained('Stopping after the current event')
    openGate()
    expect(await running.ended).toBe(0)
    expect(running.text()).toBe(`begun ${last(3).id}\ndone\n`)
    expect(cursor()).toBe(last(3).id)
  })

  test('ends the wait before a retry at once and leaves the cursor before the event', async () => {
    const running = start('--follow', '-n', '1', '--exec', 'exit 3')
    await running.complained('Trying again until it succeeds.')
    process.kill(running.pid, 'SIGTERM')
    expect(await running.ended).toBe(0)
    expect(running.complaints()).toContain('The next run handles it.')
    expect(cursor()).toBe(last(2).id)
  })

  test('exits 130 without --follow', async () => {
    const running = start('-n', '2', '--exec', `echo begun; ${atGate}`)
    await running.printed('begun\n')
    process.kill(running.pid, 'SIGTERM')
    await running.complained('Stopping after the current event')
    openGate()
    expect(await running.ended).toBe(130)
    expect(cursor()).toBe(last(2).id)
  })

  test('twice ends the tail and its running command at once', async () => {
    const running = start('--follow', '-n', '1', '--exec', 'echo $$; exec sleep 1000')
    await running.printed('\n')
    const command = Number(running.text())
    process.kill(running.pid, 'SIGINT')
    process.kill(running.pid, 'SIGTERM')
    expect(await running.ended).toBe(130)
    await vi.waitUntil(() => !isRunning(command), { timeout: 10_000, interval: 10 })
    expect(cursor()).toBe(last(2).id)
  })
})

describe('events tail --forward-to', () => {
  test("posts each event's exact bytes in order, signed with the secret that it prints or receives", async () => {
    const receiver = await startReceiver(() => 204)
    const secretOf = async (...flags: string[]) => {
      const { exitCode, stderr, stdout } = await tail('-n', '3', '--forward-to', receiver.url, ...flags)
      expect([exitCode, stdout]).toEqual([0, ''])
      return /whsec_\S+/.exec(stderr)?.[0]
    }
    const made = await secretOf()
    expect(receiver.taken.map(({ headers }) => headers['webhook-id'])).toEqual(
      all.slice(-3).map(({ id }) => id),
    )
    const verified = receiver.taken.map(({ body, headers }) =>
      new Webhook(made ?? '').verify(body, headers as Record<string, string>),
    )
    expect(verified).toEqual(all.slice(-3))
    for (const [flags, shown] of [
      [[], undefined],
      [['--print-secret'], made],
    ] as const) {
      operator.write('cursor', operator.read('cursor').replace(last(1).id, last(2).id))
      expect(await secretOf(...flags)).toBe(shown)
    }
    operator.write('secret', `${made}\n`)
    operator.write('cursor', operator.read('cursor').replace(last(1).id, last(2).id))
    expect(await secretOf('--secret-file', 'secret')).toBe(undefined)
    const again = receiver.taken.at(-1)
    expect(
      new Webhook(made ?? '').verify(again?.body ?? '', again?.headers as Record<string, string>),
    ).toEqual(last(1))
    receiver.close()
  })

  test('moves the cursor only after a 2xx answer and follows no redirect', async () => {
    const receiver = await startReceiver((no) => [204, 302][no] ?? 500)
    const flags = ['--forward-to', receiver.url, '--on-failure', 'stop']
    const { exitCode, stderr } = await tail('-n', '2', ...flags)
    expect([exitCode, stderr]).toEqual([9, expect.stringContaining('answered 302, a redirect')])
    expect(receiver.taken.map(({ path }) => path)).toEqual(['/hook', '/hook'])
    expect(cursor()).toBe(last(2).id)
    receiver.close()
  })
})

test('events tail --follow gives up on a service that does not answer within --max-wait', async () => {
  const env = { CUSTODY_DATABASE: '', CUSTODY_BASE_URL: 'http://127.0.0.1:9', CUSTODY_API_KEY: 'x' }
  const args = ['events', 'tail', '--follow', '--from-start', '--max-wait', '1s']
  const { exitCode, stderr } = await operator.run(args, { env })
  expect([exitCode, stderr]).toEqual([8, expect.stringContaining('Trying again for up to 1 s.')])
})

/** A running tail in its own process group, as a shell starts it in a terminal. */
function start(...args: string[]) {
  const child = operator.start(['events', 'tail', '--cursor-file', 'cursor', ...args], {
    buffer: false,
    detached: true,
  })
  const out = collect(child.stdout as Readable)
  const err = collect(child.stderr as Readable)
  return {
    pid: child.pid ?? 0,
    text: out.text,
    printed: out.until,
    complaints: err.text,
    complained: err.until,
    ended: Promise.all([child, out.closed, err.closed]).then(([{ exitCode }]) => exitCode),
  }
}

function collect(stream: Readable) {
  let text = ''
  stream.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  return {
    text: () => text,
    closed: once(stream, 'close'),
    async until(part: string) {
      while (!text.includes(part)) await once(stream, 'data')
    },
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

type Taken = { headers: IncomingHttpHeaders; path: string | undefined; body: string }

/** A receiver on loopback; `statusOf` returns its status for each request, counted from 0. */
async function startReceiver(statusOf: (no: number) => number) {
  const taken: Taken[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const status = statusOf(taken.length)
    taken.push({ headers: request.headers, path: request.url, body: Buffer.concat(chunks).toString() })
    response.writeHead(status, { location: '/elsewhere' }).end()
  })
  const port = await listening(server)
  return { taken, url: `http://127.0.0.1:${port}/hook`, close: () => server.close() }
}
