import { foldCase } from './case-folding.ts'

/** Between the forms of a text. No term has it, nor the line break that ends a name. */
const separator = '\u001f'

/** What `search` looks in: the name and the SKU, a line each (4.3). */
export function searchText(item: { name: string; sku: string }): string {
  return [item.name, item.sku].map((text) => searchForms(onOneLine(text)).join(separator)).join('\n')
}

/** What `sku` looks in. */
export function skuText(sku: string): string {
  return searchForms(sku).join(separator)
}

/** A term of `search`, on one line, so that none reaches from a name into its SKU: what holds one of its forms is found. */
export function searchTerm(text: string): string[] {
  return searchForms(onOneLine(text))
}

/**
 * The forms that texts are compared in (decisions 12): composed (NFKC) and folded, and where that is another, folded alone.
 * Composing looks at neighbours, so that a part of a name may be composed otherwise than the name; folding does not, so
 * that every part of what was written is found in the second form.
 */
export function searchForms(text: string): string[] {
  const written = text.replaceAll(separator, ' ')
  return [...new Set([foldCase(written.normalize('NFKC')).normalize('NFC'), foldCase(written)])]
}

function onOneLine(text: string): string {
  return text.replaceAll('\n', ' ')
}
