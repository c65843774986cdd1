import { invalid, type Refusal } from '../refusal.ts'

/** At most so many faults of one file are named: a header of a thousand wrong columns has one cause. */
const namedMax = 20

/** The whole file is refused: 400, and nothing is written (decisions 5). Each fault completes "The file ...". */
export function fileFault(...faults: [string, ...string[]]): Refusal {
  const named = faults.slice(0, namedMax)
  return invalid({ file: named }, `The file ${named.join('; ')}.`)
}

/** A value from the file as a message quotes it: in JSON's quotes, so that line breaks show, and not at any length. */
export function quoted(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 57).toWellFormed()}...` : value).replaceAll(
    '\\"',
    '"',
  )
}
