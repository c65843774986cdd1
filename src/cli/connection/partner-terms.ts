import type { Client } from '../../client/client.ts'
import { environments } from '../../contract/enums.ts'
import { closeGraceDaysDefault } from '../../contract/limits.ts'
import type { Manifest } from '../../contract/resources/manifest.ts'
import { closingDay } from '../../domain/manifests/manifest-due.ts'
import type { Holder } from './target-type.ts'

/** From the header Custody-Partner, which other implementations may lack. */
export async function partnerTerms(client: Client): Promise<Holder & { closeGraceDays: number }> {
  const { headers } = await client.getItemSummary({})
  const [name, ...terms] = (headers['custody-partner'] ?? '').split(';')
  const told = new Map(terms.map((term) => term.split('=', 2) as [string, string]))
  const days = told.get('close_grace_days') ?? ''
  return {
    partner: name ? decodeURIComponent(name) : undefined,
    environment: environments.find((known) => known === told.get('environment')),
    closeGraceDays: /^\d{1,4}$/.test(days) ? Number(days) : closeGraceDaysDefault,
  }
}

/** When an open manifest closes by itself; null without an arrival window. */
export async function closingDays(client: Client) {
  const { closeGraceDays } = await partnerTerms(client)
  return ({ status, expected_arrival_end }: Manifest): { closes_on: string | null } => ({
    closes_on: status === 'reconciled' ? null : closingDay(expected_arrival_end, closeGraceDays),
  })
}
