import { describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { getWholeManifest } from '../../src/client/whole-manifest.ts'

/** A client whose manifest has two lines, one per page, and the status of each answer in turn. */
function clientOf(statuses: string[]): Client {
  const getManifest = async ({ query: { page = 1 } }: { query: { page?: number } }) => ({
    data: { status: statuses.shift(), lines: [`line ${page}`] },
    headers: page === 1 ? { link: '</v1/manifests/m?page=2>; rel="next"' } : {},
  })
  return { getManifest } as unknown as Client
}

describe('a manifest page by page', () => {
  test.each([
    ['that does not change is read once', ['submitted', 'submitted'], 'submitted'],
    [
      'that changes between two pages is read again',
      ['submitted', 'receiving', 'receiving', 'receiving'],
      'receiving',
    ],
    ['that keeps changing is returned as of the third reading', ['1', '2', '3', '4', '5', '6'], '5'],
  ])('%s', async (_, statuses, status) => {
    const whole = await getWholeManifest(clientOf(statuses), 'm')
    expect(whole).toEqual({ status, lines: ['line 1', 'line 2'] })
    expect(statuses).toEqual([])
  })
})
