import { invalid, type Refusal } from '../refusal.ts'

/** The most faults named of one file: a header of a thousand wrong columns has one cause. */
const namedMax = 20

/** The whole file is refused: 400, and nothing is written (decisions 5). Each fault completes "The file ...". */
export function fileFault(...faults: [string, ...string[]]): Refusal {
  const named = faults.slice(0, namedMax)
  return invalid({ file: named }, `The file ${named.join('; ')}.`)
}

/** A value from the file as a message quotes it: as a JSON string, so that line breaks show, and shortened. */
export function quoted(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 57).toWellFormed()}...` : value).replaceAll(
    '\\"',
    '"',
  )
}
