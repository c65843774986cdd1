import { foldText } from '../manifests/normalise.ts'

/** What `search` looks in: name and SKU folded, a line each (4.3, decisions 11). */
export function searchText(item: { name: string; sku: string }): string {
  return `${searchTerm(item.name)}\n${searchTerm(item.sku)}`
}

/** A term as it is looked for: folded, and on one line, so that none reaches from a name into its SKU. */
export function searchTerm(text: string): string {
  return foldText(text).replaceAll('\n', ' ')
}
