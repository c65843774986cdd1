import type { ManifestReport, ManifestWithLines } from '../contract/resources/manifest.ts'
import type { Answer, Client } from './client.ts'

type Fetch<T> = (query: { page?: number }) => Promise<Answer<T>>
/** If arrivals change a manifest while its pages are read, they are read again; the last attempt accepts them as they are. */
const attemptsMax = 3

/** Returns a manifest with all its lines, from all pages. */
export function getWholeManifest(
  client: Pick<Client, 'getManifest'>,
  manifest_id: string,
): Promise<ManifestWithLines> {
  return wholeOf<ManifestWithLines>((query) => client.getManifest({ params: { manifest_id }, query }), {
    add: (whole, { lines }) => append(whole.lines, lines),
    stateOf: ({ status }) => status,
  })
}

/** Returns a manifest's reconciliation report with all its lines, from all pages. */
export function getWholeReport(
  client: Pick<Client, 'getManifestReport'>,
  manifest_id: string,
): Promise<ManifestReport> {
  return wholeOf<ManifestReport>((query) => client.getManifestReport({ params: { manifest_id }, query }), {
    add(whole, { lines, unexpected }) {
      append(whole.lines, lines)
      append(whole.unexpected, unexpected)
    },
    stateOf: ({ status, totals }) => JSON.stringify([status, totals]),
  })
}

/** Requests the first page without a number, so that a service without pages returns everything. */
async function wholeOf<T>(
  fetch: Fetch<T>,
  { add, stateOf }: { add: (whole: T, more: T) => void; stateOf: (page: T) => string },
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    let answer = await fetch({})
    const whole = answer.data
    const state = stateOf(whole)
    let isSteady = true
    for (let page = 2; isSteady && hasNextPage(answer); page++) {
      answer = await fetch({ page })
      isSteady = stateOf(answer.data) === state || attempt === attemptsMax
      add(whole, answer.data)
    }
    if (isSteady) return whole
  }
}

export function hasNextPage({ headers }: Answer<unknown>): boolean {
  return /;\s*rel="?next"?/.test(headers.link ?? '')
}

function append<T>(list: T[], more: readonly T[]): void {
  for (const each of more) list.push(each)
}
