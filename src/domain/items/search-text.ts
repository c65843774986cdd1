import { foldCase } from './case-folding.ts'

/** Separates the forms of a text. No term contains it, nor the line break that ends a name. */
const separator = '\u001f'

/** What `search` looks in: the name and the SKU, a line each (4.3). */
export function searchText(item: { name: string; sku: string }): string {
  return [item.name, item.sku].map((text) => searchForms(onOneLine(text)).join(separator)).join('\n')
}

/** What `sku` looks in. */
export function skuText(sku: string): string {
  return searchForms(sku).join(separator)
}

/** The forms of a search term, any of which may match. It is on one line, so that it cannot span from a name into its SKU. */
export function searchTerm(text: string): string[] {
  return searchForms(onOneLine(text))
}

/**
 * The forms that texts are compared in (decisions 12): composed (NFKC) and folded, and, if that differs, folded alone.
 * Composing looks at neighbouring characters, so a part of a name may compose differently than the whole; folding does not,
 * so every part of a name is found in the second form.
 */
export function searchForms(text: string): string[] {
  const written = text.replaceAll(separator, ' ')
  return [...new Set([foldCase(written.normalize('NFKC')).normalize('NFC'), foldCase(written)])]
}

function onOneLine(text: string): string {
  return text.replaceAll('\n', ' ')
}
