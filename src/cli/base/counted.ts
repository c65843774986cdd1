export function counted(count: number, one: string, many = `${one}s`): string {
  return `${digits(count)} ${count === 1 ? one : many}`
}

/** The first call of toLocaleString takes 9 ms, so only counts with a separator use it. */
export function digits(count: number): string {
  return count < 1000 ? String(count) : count.toLocaleString('en')
}

/** "row 3", "rows 3, 4 and 7", "rows 3, 4, 5, 6, 7 and 12 more" of `count` rows. */
export function rowsNamed(rows: readonly number[], count = rows.length): string {
  if (count === 1) return `row ${rows[0]}`
  const names = rows.slice(0, 5).map(String)
  const last = count > names.length ? `${digits(count - names.length)} more` : names.pop()
  return `rows ${names.join(', ')} and ${last}`
}
