import type { Command } from 'commander'
import type { ShippingLabel } from '../../../domain/fulfillments/shipping-label.ts'
import { usage } from '../../base/cli-error.ts'

export type LabelOptions = {
  carrier?: string
  service?: string
  trackingNumber?: string
  trackingUrl?: string
}

/** The flags of a carrier's label. */
export function labelOptions(command: Command): Command {
  return command
    .optionsGroup('The label:')
    .option('--carrier <name>', 'the carrier, as in ups (a sandbox makes a label up)')
    .option('--service <name>', 'its service, as in ups_ground')
    .option('--tracking-number <number>', 'its number')
    .option('--tracking-url <url>', 'where it can be followed')
}

/** The label that the flags give; undefined if they give none. Throws `usage` on half a label. */
export function labelFrom(options: LabelOptions): ShippingLabel | undefined {
  const { carrier, service, trackingNumber, trackingUrl } = options
  const given = [carrier, service, trackingNumber, trackingUrl].filter((value) => value !== undefined)
  if (given.length === 0) return undefined
  if (!carrier || !service || !trackingNumber) {
    throw usage('A label needs --carrier, --service and --tracking-number.')
  }
  if (trackingUrl !== undefined && !/^https?:\/\//.test(trackingUrl)) {
    throw usage(`--tracking-url: "${trackingUrl}" is not an address.`)
  }
  return { carrier, service, tracking_number: trackingNumber, tracking_url: trackingUrl ?? null }
}
