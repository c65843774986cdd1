/** `1 line`, `12,000 lines`. `many`: the plural, if it is not the word with an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  // The first call of toLocaleString takes 9 ms, which only counts that have a separator are worth.
  const digits = count < 1000 ? String(count) : count.toLocaleString('en')
  return `${digits} ${count === 1 ? one : many}`
}
