/** Looks up an untrusted word: `constructor` and `__proto__` are not found unless the table defines them. */
export function own<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined
}
