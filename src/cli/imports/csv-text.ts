/** One record of a CSV file; a cell is quoted where it must be, and otherwise as it is. */
export function csvLine(values: readonly string[]): string {
  return `${values.map(csvCell).join(',')}\n`
}

function csvCell(value: string): string {
  return /[",\r\n]/.test(value) || value.trim() !== value ? `"${value.replaceAll('"', '""')}"` : value
}
