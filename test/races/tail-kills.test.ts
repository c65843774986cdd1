import { once } from 'node:events'
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Options } from 'execa'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { WebhookEvent } from '../../src/contract/resources/event.ts'
import { listening } from '../support/free-port.ts'
import { newOperator, type Operator } from '../support/operator.ts'
import { type Served, serve } from '../support/served.ts'
import { chanceOf, isLong, scale, seed } from '../support/soak.ts'

const total = scale(300, 10_000)
const kills = scale(2, 20)
/** Written while tails run; the rest exists before. */
const late = total / 5
/** Approximate size of an event in bytes. */
const eventBytes = 650

/** How a tail hands events on, and how the test knows which ones came. */
type Way = {
  name: string
  isServed?: true
  /** Only in the long form. */
  isLong?: true
  flags: (place: Place) => string[]
  /** What the tail prints is appended to the file. */
  isPrinted?: true
  handled: (place: Place) => string[]
  /** Resolves when that many were handled, including repeats. */
  reached: (place: Place, count: number) => Promise<void>
}
type Place = { operator: Operator; file: string; receiver: Receiver }

const inFile = {
  handled: ({ file }: Place) =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as WebhookEvent).id),
  reached: ({ file }: Place, count: number) =>
    vi
      .waitUntil(() => statSync(file).size >= count * eventBytes, { timeout: 600_000, interval: 1 })
      .then(() => {}),
}
const atReceiver = {
  flags: ({ receiver }: Place) => ['--forward-to', receiver.url],
  handled: ({ receiver }: Place) => receiver.taken,
  reached: ({ receiver }: Place, count: number) => receiver.reached(count),
}
const printed = { ...inFile, isPrinted: true, flags: () => ['--output', 'ndjson'] } as const

const ways: Way[] = [
  { name: 'printed to a file, embedded', ...printed },
  { name: 'forwarded, over HTTP', isServed: true, ...atReceiver },
  { name: 'printed to a file, over HTTP', isServed: true, isLong: true, ...printed },
  {
    name: 'by a command, embedded',
    isLong: true,
    ...inFile,
    flags: ({ file }) => ['--exec', `cat >> ${file}`],
  },
]

describe.each(ways.filter((way) => isLong || !way.isLong))(
  `kill -9 of events tail --follow --cursor-file, $name (seed ${seed})`,
  (way) => {
    let operator: Operator
    let served: Served | undefined
    let place: Place

    beforeAll(async () => {
      operator = await newOperator('empty')
      if (way.isServed) served = await serve(operator, { flags: ['--rate-limit', 'off'] })
      place = {
        operator,
        file: operator.write('handled', '') && operator.path('handled'),
        receiver: await startReceiver(),
      }
      await arrive(total - late)
    })
    afterAll(async () => {
      await served?.stop()
      place.receiver.close()
      operator.leave()
    })

    test(`${kills} times over ${total} events, misses none and repeats at most one for each kill`, async ({
      annotate,
    }) => {
      const chance = chanceOf(seed)
      const arriving = arriveInParts()
      for (let kill = 1; kill <= kills; kill++) {
        const tail = start()
        await way.reached(place, Math.floor(((kill - chance()) / kills) * total * 0.8))
        await pause(chance() * 8)
        tail.kill('SIGKILL')
        await tail
      }
      await arriving
      const tail = start()
      const all = JSON.parse(await run(['events', 'ls', '--all', '--json'])) as WebhookEvent[]
      expect(all).toHaveLength(total)
      await vi.waitUntil(() => cursor() === all.at(-1)?.id, { timeout: 600_000, interval: 10 })
      tail.kill('SIGTERM')
      expect((await tail).exitCode).toBe(0)

      const handled = way.handled(place)
      expect([...new Set(handled)]).toEqual(all.map(({ id }) => id))
      const repeated = handled.length - total
      expect(repeated).toBeLessThanOrEqual(kills)
      if (isLong)
        await annotate(`${way.name}: ${kills} kills, ${total} events, 0 missed, ${repeated} repeated`)
    })

    function start() {
      const file = openSync(place.file, 'a')
      const args = ['events', 'tail', '--follow', '--from-start', '--cursor-file', 'cursor']
      const tail = operator.start([...args, ...way.flags(place)], {
        stdio: ['ignore', way.isPrinted ? file : 'ignore', 'ignore'],
        env: env(),
      } as Options)
      closeSync(file)
      return tail
    }

    /** The flags that name the target. */
    function env(): Record<string, string> {
      return served === undefined ? {} : { ...served.env, CUSTODY_DATABASE: '' }
    }

    async function run(args: string[], input = ''): Promise<string> {
      const { exitCode, stdout, stderr } = await operator.real(args, { input, env: env() })
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.any(String) })
      return stdout
    }

    function cursor(): string {
      return (JSON.parse(operator.read('cursor')) as { after: string }).after
    }

    /** Slabs arrive, with one event each. */
    async function arrive(count: number): Promise<void> {
      const items = Array.from({ length: count }, () => {
        certificate += 1
        return {
          type: 'graded_slab',
          name: 'Card',
          grader: 'PSA',
          grade: '9',
          cert_number: String(certificate),
        }
      })
      await run(['sandbox', 'intake', '-'], JSON.stringify({ items }))
    }

    async function arriveInParts(): Promise<void> {
      const parts = scale(2, 10)
      for (let part = 0; part < parts; part++) await arrive(late / parts)
    }
  },
)

let certificate = 10_000_000

type Receiver = {
  url: string
  /** Ids in the order of arrival. */
  taken: string[]
  reached: (count: number) => Promise<void>
  close: () => void
}

/** Accepts every event; tells waiters before the sender. */
async function startReceiver(): Promise<Receiver> {
  const taken: string[] = []
  const server: Server = createServer((request, response) => {
    request.resume().on('end', () => {
      taken.push(String(request.headers['webhook-id']))
      server.emit('taken')
      setImmediate(() => response.writeHead(204).end())
    })
  })
  const port = await listening(server)
  return {
    url: `http://127.0.0.1:${port}/`,
    taken,
    async reached(count) {
      while (taken.length < count) await once(server, 'taken')
    },
    close: () => server.close(),
  }
}
