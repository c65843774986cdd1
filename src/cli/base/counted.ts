/** `1 line`, `12,000 lines`. `many`: the plural, if it is not the word with an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
