import type { ManifestReport, ManifestWithLines } from '../contract/resources/manifest.ts'
import type { Answer, Client } from './client.ts'
import { pagesOf } from './pages.ts'

type Fetch<T> = (query: { page?: number }) => Promise<Answer<T>>
/** If arrivals change a manifest while its pages are read, they are read again; the last attempt accepts them as they are. */
const attemptsMax = 3

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

async function wholeOf<T extends object>(
  fetch: Fetch<T>,
  { add, stateOf }: { add: (whole: T, more: T) => void; stateOf: (page: T) => string },
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    let whole: T | undefined
    let isSteady = true
    for await (const { data: page } of pagesOf(fetch)) {
      if (whole === undefined) {
        whole = page
        continue
      }
      isSteady = stateOf(page) === stateOf(whole) || attempt === attemptsMax
      if (!isSteady) break
      add(whole, page)
    }
    if (whole !== undefined && isSteady) return whole
  }
}

function append<T>(list: T[], more: readonly T[]): void {
  for (const each of more) list.push(each)
}
