/** In English, German and French. */
const errors = new Set([
  ...['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NUM!', '#NULL!', '#SPILL!', '#CALC!', '#ERROR!'],
  ...['#NV', '#BEZUG!', '#WERT!', '#ZAHL!', '#ÜBERLAUF!'],
  ...['#VALEUR!', '#NOM?', '#NOMBRE!', '#NUL!', '#PROPAGATION!'],
])

/** Whether a cell is what a spreadsheet shows instead of a value: of a formula that failed, or in a column that is too narrow. */
export function isSpreadsheetError(text: string): boolean {
  return text.startsWith('#') && (errors.has(text) || /^###+$/.test(text))
}
