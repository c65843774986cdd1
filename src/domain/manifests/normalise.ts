/** A card's name as compared for its SKU: composed (NFC), lower case. What SKUs were made with never changes. */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** A certificate as compared: without spaces, dashes and case (decisions 6). Leading zeros count. */
export function certKey(text: string): string {
  return text.replace(/[\s\p{Pd}\u2212]+/gu, '').toUpperCase()
}

/** A grader as compared: without case and surrounding spaces (decisions 11). */
export function graderKey(text: string): string {
  return text.trim().toUpperCase()
}
