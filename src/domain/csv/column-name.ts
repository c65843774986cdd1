/** A column's name as compared: `Cert Number`, `cert_number` and `CERT-NUMBER` are one. */
export function nameKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const sum =
  /^(?:(?:grand|sub)[ -]?)?totals?(?: (?:units|quantity|qty|items|cards|lines|rows|count))?:?$|^(?:(?:gesamt|zwischen|end)?summen?|gesamt(?:menge|anzahl)?|insgesamt):?$/i

type NoRow = 'empty' | 'sum' | 'header again' | 'other header'

/** Tells the lines that are no rows: without a cell, with a sum, or with the names of the columns, as where files are joined. */
export function noRows(header: readonly string[]): (values: readonly string[]) => NoRow | undefined {
  const names = header.map(nameKey).filter((name) => name !== '')
  const known = new Set(names)
  const isHeader = (keys: readonly string[]): boolean =>
    keys.length === names.length && new Set(keys).size === known.size && keys.every((key) => known.has(key))
  return (values) => {
    const first = firstText(values)
    if (first === '') return 'empty'
    if (sum.test(first)) return 'sum'
    if (!known.has(nameKey(first))) return undefined
    const keys = values.map(nameKey).filter((key) => key !== '')
    if (!isHeader(keys)) return undefined
    return keys.every((key, at) => key === names[at]) ? 'header again' : 'other header'
  }
}

export function firstText(values: readonly string[]): string {
  return values.find((value) => value.trim() !== '')?.trim() ?? ''
}
