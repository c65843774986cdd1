import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { type PageQuery, severalAtOnce, walkPages } from '../../src/cli/connection/paging.ts'
import { type Answer, type Page, ServiceError } from '../../src/client/client.ts'
import { cliUser, forAllTests, serviceOf } from '../support/each.ts'

describe('several requests at once', () => {
  test('start no more after one has failed, and end before the error is thrown', async () => {
    const started: number[] = []
    const ended: number[] = []
    const list = Array.from({ length: 100 }, (_, at) => at)
    const asked = severalAtOnce(list, async (at) => {
      started.push(at)
      await Promise.resolve()
      if (at === 3) throw new Error('the fourth')
      await Promise.resolve()
      ended.push(at)
    })
    await expect(asked).rejects.toThrow('the fourth')
    expect(started).toEqual(list.slice(0, 8))
    expect(ended).toEqual(started.filter((at) => at !== 3))
  })
})

describe('what a list leaves out', () => {
  const user = forAllTests(cliUser)
  const service = forAllTests(
    serviceOf((_, response) => {
      const results = Array.from({ length: 2 }, (_, at) => ({
        sku: `SKU-${at}`,
        on_hand: 1,
        available: 1,
        allocated: 0,
      }))
      const body = { results, total: 150_000, page_size: 2, next_page_number: null, next: null }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }),
  )

  test.each([
    [['--limit', '2'], '2 of 150,000; --all for the rest'],
    [['--page', '1200', '--page-size', '2'], 'page 1,200 of 75,000, 150,000 in all'],
  ])('is counted in digits that are grouped: %j', async (args, expected) => {
    const { code, err } = await user.run(['inventory', 'ls', '--columns', 'sku', ...args], {
      env: service.env,
    })
    expect([code, err]).toEqual([0, expect.stringContaining(expected)])
  })
})

describe('inventory ls', () => {
  const user = forAllTests(cliUser)
  const skus = Array.from({ length: 25 }, (_, at) => `GS-${at}`)
  const held: Array<() => void> = []
  const counts: number[] = []
  const service = forAllTests(
    serviceOf((request, response) => {
      const { pathname, searchParams } = new URL(String(request.url), 'http://any')
      const sku = searchParams.get('sku')
      const item = { qid: `Q-${sku}`, sku, name: `Card ${sku}`, status: 'available', image_assets: [] }
      const results = pathname.endsWith('/inventory')
        ? skus.map((each) => ({ sku: each, on_hand: 1, available: 1, allocated: 0 }))
        : sku === null
          ? []
          : [item]
      const total = pathname.endsWith('/items') ? 10_000 : results.length
      const body = { results, total, page_size: 25, next_page_number: null, next: null }
      const reply = () => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      }
      if (sku === null) return reply()
      held.push(reply)
      const left = skus.length - counts.reduce((sum, count) => sum + count, 0)
      if (held.length < Math.min(8, left)) return
      counts.push(held.length)
      for (const each of held.splice(0)) each()
    }),
  )

  test('asks for the names of slabs eight at a time, and lists them in order', async () => {
    const { code, out } = await user.run(['inventory', 'ls', '--columns', 'sku,name'], { env: service.env })
    expect([code, out]).toEqual([0, `sku\tname\n${skus.map((sku) => `${sku}\tCard ${sku}\n`).join('')}`])
    expect(counts).toEqual([8, 8, 8, 1])
  })
})

describe('reading a list page by page', () => {
  test('returns everything once, in the largest pages', async () => {
    const list = pagesOf(numbers(612))
    expect(await collect({ fetch: list.fetch })).toEqual(numbers(612))
    expect(list.asked).toEqual([
      [1, 250],
      [2, 250],
      [3, 250],
    ])
  })

  test('returns a row once that moves to the next page meanwhile', async () => {
    const all = numbers(500)
    const fetch = async (page: number, size: number) => {
      const answer = pageOf(all, page, size)
      // A new entry at the top pushes the last row of this page to the next page.
      all.unshift(`new-${page}`)
      return answer
    }
    const walked = await collect({ fetch })
    expect(new Set(walked).size).toBe(walked.length)
    expect(walked.filter((name) => !name.startsWith('new'))).toEqual(numbers(500))
  })

  test('returns a row once that a change moves to the end, however far', async () => {
    const all = numbers(2000)
    const fetch = async (page: number, size: number) => {
      const answer = pageOf(all, page, size)
      all.push(`n${page}`)
      return answer
    }
    const walked = await collect({ fetch })
    expect([walked.length, new Set(walked).size]).toEqual([2000, 2000])
  })

  test('keeps at most 32 bytes of each row', async () => {
    const size = 300_000
    const fetch = async ({ page, page_size: pageSize }: PageQuery) => {
      const from = (page - 1) * pageSize
      const results = Array.from({ length: pageSize }, (_, index) => `QID-${from + index}-of-some-length`)
      return answerOf(results, size, page, pageSize)
    }
    const before = bytesInUse()
    let [count, kept] = [0, Number.POSITIVE_INFINITY]
    for await (const { results } of walkPages({ fetch, keyOf: (name) => name, pageSize: 5_000 })) {
      count += results.length
      if (count === size) kept = bytesInUse() - before
    }
    expect(count).toBe(size)
    expect(kept).toBeLessThan(32 * size)
  })

  test('stops at the limit and requests no more than it needs', async () => {
    const list = pagesOf(numbers(612))
    expect(await collect({ fetch: list.fetch, limit: 30 })).toEqual(numbers(30))
    expect(list.asked).toEqual([[1, 30]])
  })

  test('ends at an error', async () => {
    const fetch = async (): Promise<never> => {
      throw new ServiceError({ status: 500, headers: {}, body: '' })
    }
    await expect(collect({ fetch })).rejects.toMatchObject({ status: 500 })
  })
})

type Fetch = (page: number, size: number) => Promise<Answer<Page<string>>>

async function collect(walk: { fetch: Fetch; limit?: number }): Promise<string[]> {
  const all: string[] = []
  const fetch = ({ page, page_size }: PageQuery) => walk.fetch(page, page_size)
  for await (const { results } of walkPages({ ...walk, fetch, keyOf: (name) => name })) all.push(...results)
  return all
}

function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `n${index}`)
}

function pagesOf(all: string[]): { fetch: Fetch; asked: number[][] } {
  const asked: number[][] = []
  return {
    asked,
    fetch: async (page, size) => {
      asked.push([page, size])
      return pageOf(all, page, size)
    },
  }
}

/** Heap and buffers still in use. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc')
  // The first may only end one under way, which keeps what was in use when it began.
  for (let time = 0; time < 2; time++) runInNewContext('gc')()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function pageOf(all: readonly string[], page: number, size: number): Answer<Page<string>> {
  return answerOf(all.slice((page - 1) * size, page * size), all.length, page, size)
}

function answerOf(results: string[], total: number, page: number, size: number): Answer<Page<string>> {
  const isLast = page * size >= total
  const data = {
    page_size: size,
    count: results.length,
    total,
    current_page_number: page,
    next_page_number: isLast ? null : page + 1,
    next: null,
    previous: null,
    previous_page_number: page === 1 ? null : page - 1,
    results,
  }
  return { data, text: '', status: 200, headers: {} }
}
