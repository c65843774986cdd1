/** The entry of a table for a word from outside: `constructor` and `__proto__` are in no table unless somebody put them there. */
export function own<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined
}
