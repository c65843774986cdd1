import { closeSync, constants, createReadStream, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execaSync } from 'execa'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLog, createLogSink } from '../../src/service/observe/log.ts'
import { StoreError } from '../../src/store/database.ts'

const key = 'sk_sandbox_9aB3_xYz-77'
const liveKey = 'sk_live_Qw12er34'
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+/='

/** The lines that a log writes, parsed. */
function startLog() {
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(line) })
  return { log, lines, entries: () => lines.map((line) => JSON.parse(line)) }
}

describe('the log', () => {
  test.each(['fault', 'request'] as const)('hides keys and secrets wherever a %s has them', (kind) => {
    const { log, lines, entries } = startLog()
    const cause = new Error(`cause ${liveKey}`)
    const error = Object.assign(new Error(`no ${key}, "${secret}"`, { cause }), {
      detail: 'Failing row contains (Grace Okafor, 2217 SE Alder Street).',
      where: key,
    })
    if (kind === 'fault') log.fault('went wrong', error)
    else log.request({ request_id: 'r', operation: 'listItems', status: 500, duration_ms: 1, error })
    const [line = ''] = lines
    for (const hidden of [key, liveKey, secret, 'Okafor', 'Alder']) expect(line).not.toContain(hidden)
    expect(entries()[0]).toMatchObject({
      level: 'error',
      error: {
        name: 'Error',
        message: 'no sk_sandbox_[hidden], "whsec_[hidden]"',
        cause: 'cause sk_live_[hidden]',
        stack: expect.stringContaining('log.test.ts'),
      },
    })
  })

  test('hides them in a thrown value that is not an Error too', () => {
    const { log, entries } = startLog()
    log.fault('went wrong', `${key} ${secret}`)
    expect(entries()[0].error).toEqual({ message: 'sk_sandbox_[hidden] whsec_[hidden]' })
  })

  test("has one line for a request, without a fault's other properties", () => {
    const { log, entries } = startLog()
    const known = {
      request_id: 'r',
      operation: 'listItems',
      status: 200,
      duration_ms: 1.5,
      partner: 'Northgate',
      key_id: 'k',
    }
    log.request(known)
    log.request({ ...known, status: 503, error: new StoreError('busy', 'The database is locked.') })
    const [good, bad] = entries()
    expect(good).toEqual({ level: 'info', time: expect.any(String), msg: 'request', ...known })
    expect(bad).toMatchObject({ level: 'warn', status: 503, error: { message: 'The database is locked.' } })
  })
})

describe("the log's destination", () => {
  test('receives lines in order, buffered, and all of them after a flush', () => {
    const folder = mkdtempSync(join(tmpdir(), 'custody-log-'))
    const file = join(folder, 'log')
    const sink = createLogSink(openSync(file, 'w'))
    for (let n = 0; n < 100; n++) sink.write(`line ${n}\n`)
    expect(readFileSync(file, 'utf8')).toBe('')
    sink.flush()
    const lines = Array.from({ length: 100 }, (_, n) => `line ${n}\n`)
    expect(readFileSync(file, 'utf8')).toBe(lines.join(''))
    rmSync(folder, { recursive: true })
  })

  test('receives every line in order if its reader is late when the log ends', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'custody-log-'))
    const pipe = join(folder, 'log')
    execaSync('mkfifo', [pipe])
    const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
    const sink = createLogSink(fd)
    const lines = Array.from({ length: 5000 }, (_, n) => `line ${n} ${'x'.repeat(50)}\n`)
    for (const line of lines.slice(0, -1)) sink.write(line)
    sink.flush()
    sink.write(lines.at(-1) ?? '')
    const ended = sink.end()
    let received = ''
    for await (const part of createReadStream(pipe, { encoding: 'utf8' })) {
      received += part
      if (received.length >= lines.join('').length) break
    }
    await ended
    expect(received).toBe(lines.join(''))
    closeSync(fd)
    rmSync(folder, { recursive: true })
  })

  test('ends although its reader takes nothing', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const folder = mkdtempSync(join(tmpdir(), 'custody-log-'))
    const pipe = join(folder, 'log')
    execaSync('mkfifo', [pipe])
    const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
    const sink = createLogSink(fd)
    sink.write(`${'x'.repeat(1024 * 1024)}\n`)
    const ended = sink.end()
    vi.advanceTimersByTime(2000)
    await ended
    closeSync(fd)
    rmSync(folder, { recursive: true })
  })

  test('loses and counts lines if it is slow, and holds nobody up', async () => {
    // Nothing reads while this test runs, so background writing has not begun.
    const folder = mkdtempSync(join(tmpdir(), 'custody-log-'))
    const file = join(folder, 'log')
    const sink = createLogSink(openSync(file, 'w'))
    const line = `${'x'.repeat(1024 * 1024 - 1)}\n`
    for (let n = 0; n < 20; n++) sink.write(line)
    await sink.end()
    const lines = readFileSync(file, 'utf8').split('\n')
    const { dropped, level } = JSON.parse(lines.find((text) => text.startsWith('{')) ?? '{}')
    expect(lines.length).toBeLessThan(15)
    expect([level, dropped]).toEqual(['warn', 10])
    rmSync(folder, { recursive: true })
  })
})
