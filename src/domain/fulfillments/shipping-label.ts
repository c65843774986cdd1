/** What a carrier's label gives a fulfillment (2.7). */
export type ShippingLabel = {
  carrier: string
  service: string
  tracking_number: string
  tracking_url: string | null
}

type LabelKind = { carrier: string; service: string; prefix: string; digits: number }

/** The warehouse stands in the United States: what stays in the country goes by ground. */
const domesticLabels: readonly LabelKind[] = [
  { carrier: 'usps', service: 'usps_ground_advantage', prefix: '94001', digits: 17 },
  { carrier: 'ups', service: 'ups_ground', prefix: '1Z', digits: 16 },
  { carrier: 'fedex', service: 'fedex_ground', prefix: '7', digits: 11 },
]
const internationalLabels: readonly LabelKind[] = [
  { carrier: 'dhl', service: 'dhl_express_worldwide', prefix: '', digits: 10 },
  { carrier: 'fedex', service: 'fedex_international_priority', prefix: '8', digits: 11 },
  { carrier: 'ups', service: 'ups_worldwide_saver', prefix: '1Z', digits: 16 },
]

/** Bytes that `simulatedLabel` takes: one for the carrier, one for each digit. */
export const labelRandomBytes = 18

/**
 * The label that a sandbox's carrier would give, from at least `labelRandomBytes` random bytes. Its number looks like the
 * carrier's own, its address is none of the carrier's: a made-up number could be somebody's parcel.
 */
export function simulatedLabel(country: string, random: Uint8Array): ShippingLabel {
  const kinds = country === 'US' ? domesticLabels : internationalLabels
  const kind = kinds[(random[0] as number) % kinds.length] as LabelKind
  const digits = [...random.subarray(1, 1 + kind.digits)].map((byte) => byte % 10).join('')
  const tracking_number = `${kind.prefix}${digits}`
  return {
    carrier: kind.carrier,
    service: kind.service,
    tracking_number,
    tracking_url: `https://tracking.custody.example/${kind.carrier}/${tracking_number}`,
  }
}
