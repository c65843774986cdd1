import type { Command } from 'commander'
import type { Json } from '../../../contract/call.ts'
import type { Fulfillment } from '../../../contract/resources/fulfillment.ts'
import type { ShippingLabel } from '../../../domain/fulfillments/fulfillment.ts'
import type { UnitOfWork } from '../../../engine/context.ts'
import { usage } from '../../base/cli-error.ts'
import { fulfillmentStep, type Step } from './steps.ts'

type LabelOptions = {
  carrier?: string
  service?: string
  trackingNumber?: string
  trackingUrl?: string
}

/** One label is for one parcel, so it goes with one fulfillment only. */
export function labelStep({
  take,
  ...step
}: Pick<Step<Json<Fulfillment>, LabelOptions>, 'summary' | 'details' | 'examples'> & {
  take: (work: UnitOfWork, id: string, label: ShippingLabel | undefined) => Promise<Json<Fulfillment>>
}): ReturnType<typeof fulfillmentStep<LabelOptions>> {
  const command = fulfillmentStep<LabelOptions>({
    ...step,
    define: labelOptions,
    take: (work, id, options) => take(work, id, labelFrom(options)),
  })
  return {
    ...command,
    async run(session, names, options) {
      if ((labelFrom(options) !== undefined && names.length > 1) || names[0] === '-')
        throw usage('A label belongs to one fulfillment.', 'Run the command once for each.')
      return command.run(session, names, options)
    },
  }
}

function labelOptions(command: Command): Command {
  return command
    .optionsGroup('The label:')
    .option('--carrier <name>', 'Carrier, as in ups (a sandbox invents a label)')
    .option('--service <name>', 'Service, as in ups_ground')
    .option('--tracking-number <number>', 'Tracking number')
    .option('--tracking-url <url>', 'Tracking page')
}

/** Undefined without flags. Throws `usage` if some are missing. */
function labelFrom(options: LabelOptions): ShippingLabel | undefined {
  const { carrier, service, trackingNumber, trackingUrl } = options
  const given = [carrier, service, trackingNumber, trackingUrl].filter((value) => value !== undefined)
  if (given.length === 0) return undefined
  if (!carrier || !service || !trackingNumber) {
    throw usage('A label needs --carrier, --service, and --tracking-number.')
  }
  if (trackingUrl !== undefined && !/^https?:\/\//.test(trackingUrl)) {
    throw usage(`--tracking-url: "${trackingUrl}" is not an address.`)
  }
  return { carrier, service, tracking_number: trackingNumber, tracking_url: trackingUrl ?? null }
}
