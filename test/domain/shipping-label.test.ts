import { describe, expect, test } from 'vitest'
import { labelRandomBytes, simulatedLabel } from '../../src/domain/fulfillments/fulfillment.ts'
import { seededRandom } from '../../src/testing/seeded-random.ts'

/** Random bytes of which the first, which chooses the carrier, is given. */
function draw(first: number): Uint8Array {
  const bytes = seededRandom(7)(labelRandomBytes)
  bytes[0] = first
  return bytes
}

describe("a sandbox carrier's label (2.7)", () => {
  test.each([
    ['US', 0, 'usps', 'usps_ground_advantage', /^94001\d{17}$/],
    ['US', 1, 'ups', 'ups_ground', /^1Z\d{16}$/],
    ['US', 2, 'fedex', 'fedex_ground', /^7\d{11}$/],
    ['DE', 0, 'dhl', 'dhl_express_worldwide', /^\d{10}$/],
    ['JP', 1, 'fedex', 'fedex_international_priority', /^8\d{11}$/],
    ['CA', 2, 'ups', 'ups_worldwide_saver', /^1Z\d{16}$/],
  ])('leads to %s, drawn %i: %s %s', (country, first, carrier, service, number) => {
    const label = simulatedLabel(country, draw(first))
    expect(label).toEqual({
      carrier,
      service,
      tracking_number: expect.stringMatching(number),
      tracking_url: `https://tracking.custody.example/${carrier}/${label.tracking_number}`,
    })
  })

  test('is the same for the same draw, and different for another', () => {
    const random = seededRandom(3)
    const first = random(labelRandomBytes)
    expect(simulatedLabel('US', first)).toEqual(simulatedLabel('US', first))
    expect(simulatedLabel('US', random(labelRandomBytes))).not.toEqual(simulatedLabel('US', first))
  })
})
