import type { Client } from '../../client/client.ts'
import { environments } from '../../contract/enums.ts'
import { closeGraceDaysDefault, repeatsDaysDefault } from '../../contract/limits.ts'
import { once } from '../../contract/once.ts'
import type { Manifest } from '../../contract/resources/manifest.ts'
import { closingDay } from '../../domain/manifests/manifest.ts'
import { ifPossible } from '../base/system-fault.ts'
import type { Holder } from './target-type.ts'

/** From the header Custody-Partner, which other implementations may lack. */
export async function partnerTerms(
  client: Client,
): Promise<Holder & { closeGraceDays: number; repeatsDays: number }> {
  const { headers } = await client.getItemSummary({})
  const [name, ...terms] = (headers['custody-partner'] ?? '').split(';')
  const told = new Map(terms.map((term) => term.split('=', 2) as [string, string]))
  const days = (name: string, usual: number): number =>
    /^\d{1,4}$/.test(told.get(name) ?? '') ? Number(told.get(name)) : usual
  return {
    partner: nameOf(name),
    environment: environments.find((known) => known === told.get('environment')),
    closeGraceDays: days('close_grace_days', closeGraceDaysDefault),
    repeatsDays: days('repeats_days', repeatsDaysDefault),
  }
}

/** Undefined if another implementation sends something that is not an encoded name. */
function nameOf(text = ''): string | undefined {
  return ifPossible(() => decodeURIComponent(text)) || undefined
}

/** When open manifests close by themselves; null without an arrival window. Asks the service once, if any of them has one. */
export function closingDays(client: Client) {
  const terms = once(() => partnerTerms(client))
  return async (manifests: readonly Manifest[]) => {
    const isAsked = manifests.some(
      ({ status, expected_arrival_end }) => status !== 'reconciled' && expected_arrival_end !== null,
    )
    const days = isAsked ? (await terms()).closeGraceDays : closeGraceDaysDefault
    return ({ status, expected_arrival_end }: Manifest): { closes_on: string | null } => ({
      closes_on: status === 'reconciled' ? null : closingDay(expected_arrival_end, days),
    })
  }
}
