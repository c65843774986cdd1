import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import type { Io } from '../../../src/cli/base/io.ts'
import { resolveTarget, type ServiceSettings } from '../../../src/cli/connection/target.ts'
import { spaceChecks } from '../../../src/cli/doctor/check-database.ts'
import { checkService } from '../../../src/cli/doctor/check-service.ts'
import { newCliUser } from '../../support/cli-io.ts'
import { listening } from '../../support/free-port.ts'

const io = { env: {}, cwd: '/', now: Date.now } as Io
const advice = "Check that this is a custody service's address, and that no proxy holds back its answers."
const ends: Array<() => void> = []

afterEach(() => {
  for (const end of ends.splice(0)) end()
})

test('a database warns of a disk with less than 100 MB left', () => {
  const disk = (free: number) => () => ({ bavail: free, bsize: 1_000_000 })
  const [file, folder] = [import.meta.filename, import.meta.dirname]
  expect(spaceChecks(file, disk(100))).toEqual([])
  const detail = `only 99.0 MB are free in ${folder}: free some space, or writes soon fail`
  expect(spaceChecks(file, disk(99))).toEqual([{ check: 'disk', isWarning: true, detail }])
  expect(spaceChecks('postgres://db.example/custody', disk(0))).toEqual([])
})

describe('checking a service that sends a byte now and then, forever', () => {
  test('ends after 30 s and says what to check', async () => {
    const { address, checks, asked } = await checkOf(trickle)
    expect(checks).toEqual([
      {
        check: 'reachable',
        ending: 'unreachable',
        detail: `${address} did not answer within 30 s. ${advice}`,
      },
    ])
    expect(asked).toEqual([30_000])
  })

  test('ends likewise if only the second answer never ends', async () => {
    const { address, checks } = await checkOf((response, path) =>
      path.includes('clock') ? trickle(response) : void response.end('{"total":0,"by_status":{}}'),
    )
    expect(checks.at(-1)).toEqual({
      check: 'environment',
      ending: 'unreachable',
      detail: `${address} did not answer within 30 s. ${advice}`,
    })
  })

  test('ends when --max-wait says', async () => {
    const { checks, asked } = await checkOf(trickle, '2s')
    expect(checks[0]?.detail).toContain('did not answer within 2 s')
    expect(asked).toEqual([2000])
  })
})

test.each([
  [
    503,
    {
      check: 'health',
      ending: 'unreachable',
      detail: 'PLACE answers 503. See the log of the service and its database.',
    },
  ],
  [404, undefined],
  [200, undefined],
])('a service whose /healthz answers %i has the check %j', async (status, expected) => {
  const { address, checks } = await checkOf((response, path) => {
    if (path === '/healthz') response.writeHead(status)
    response.end('{"total":0,"by_status":{}}')
  })
  const detail = expected?.detail.replace('PLACE', `${address}/healthz`)
  expect(checks.find(({ check }) => check === 'health')).toEqual(expected && { ...expected, detail })
})

test('doctor rejects a --max-wait that is not a duration', async () => {
  const user = newCliUser()
  ends.push(user.dispose)
  const env = { CUSTODY_API_KEY: 'k', CUSTODY_BASE_URL: 'http://127.0.0.1:9' }
  const { code, err } = await user.run(['doctor', '--max-wait', 'long'], { env })
  expect([code, err]).toEqual([2, expect.stringContaining('--max-wait: "long" is not a duration.')])
})

type Answering = (response: ServerResponse, path: string) => void

/** Five bytes slowly, then the signal that they have arrived, then more forever. */
function trickle(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{')
  let count = 0
  const timer = setInterval(() => {
    response.write(' ')
    if (++count === 5) response.emit('trickled')
  }, 2)
  ends.push(() => clearInterval(timer))
}

/** The result of checking a service with this answer. The call's time ends once an endless answer has begun. */
async function checkOf(answer: Answering, maxWait?: string) {
  const server = createServer((request, response) => {
    response.once('trickled', () => server.emit('trickled'))
    answer(response, request.url ?? '')
  })
  ends.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  const address = `http://127.0.0.1:${await listening(server)}`
  const around = { cwd: '/', defaultDatabase: '', config: () => ({ profiles: {} }) }
  const settings = resolveTarget({ baseUrl: `${address}/v1` }, { ...around, env: { CUSTODY_API_KEY: 'k' } })
  const asked: number[] = []
  const { checks } = await checkService(io, settings as ServiceSettings, {
    maxWait,
    async sleep(ms, signal) {
      asked.push(ms)
      await once(server, 'trickled', signal && { signal })
    },
  })
  return { address, checks, asked }
}
