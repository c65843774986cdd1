import type { RowPlaces } from './row-places.ts'

/** By the row's number and line in the operator's file. */
export type Located<Fault> = Fault & { line: number }

/** An error of a row by the place that the row has in the operator's file. */
export function located<Fault extends { row: number; message: string }>(
  fault: Fault,
  places: RowPlaces,
): Located<Fault> {
  return Object.assign({}, fault, places.of(fault.row), { message: withPlaces(fault.message, places) })
}

/** Another row that a message names. */
function withPlaces(message: string, places: RowPlaces): string {
  return message.replace(/\balready in row (\d{1,9})\b/g, (_, ordinal: string) => {
    const { row, line } = places.of(Number(ordinal))
    return `already in row ${row}, line ${line}`
  })
}
