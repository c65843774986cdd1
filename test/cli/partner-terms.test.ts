import { describe, expect, test } from 'vitest'
import { closingDays, partnerTerms } from '../../src/cli/connection/partner-terms.ts'
import type { Client } from '../../src/client/client.ts'
import type { Manifest } from '../../src/contract/resources/manifest.ts'

function answering(header: string | undefined) {
  let asked = 0
  const getItemSummary = async () => {
    asked += 1
    return { headers: header === undefined ? {} : { 'custody-partner': header } }
  }
  return { client: { getItemSummary } as unknown as Client, asked: () => asked }
}

describe('the terms of a partner', () => {
  test.each([
    [
      'Northgate%20Cards;environment=sandbox;close_grace_days=3;repeats_days=9',
      'Northgate Cards',
      'sandbox',
      3,
      9,
    ],
    [undefined, undefined, undefined, 7, 400],
    ['%E0%A4;environment=moon;close_grace_days=many', undefined, undefined, 7, 400],
    ['', undefined, undefined, 7, 400],
  ])('are read from %j', async (header, partner, environment, closeGraceDays, repeatsDays) => {
    const terms = { partner, environment, closeGraceDays, repeatsDays }
    expect(await partnerTerms(answering(header).client)).toEqual(terms)
  })

  test('are requested once, and only if an open manifest has an arrival window', async () => {
    const { client, asked } = answering('A;environment=sandbox;close_grace_days=1')
    const manifest = (status: string, expected_arrival_end: string | null) =>
      ({ status, expected_arrival_end }) as Manifest
    const closing = closingDays(client)
    const others = [manifest('reconciled', '2026-05-01'), manifest('submitted', null)]
    const closes = await closing(others)
    expect([others.map(closes), asked()]).toEqual([[{ closes_on: null }, { closes_on: null }], 0])
    const open = manifest('submitted', '2026-05-01')
    for (let time = 0; time < 2; time++)
      expect((await closing([open]))(open)).toEqual({ closes_on: '2026-05-03' })
    expect(asked()).toBe(1)
  })
})
