export function counted(count: number, one: string, many = `${one}s`): string {
  // The first call of toLocaleString takes 9 ms, so only counts with a separator use it.
  const digits = count < 1000 ? String(count) : count.toLocaleString('en')
  return `${digits} ${count === 1 ? one : many}`
}
