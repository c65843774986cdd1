/** Continuing could lose goods, so the transaction is rolled back and the request fails with internal_error. */
export class BrokenInvariant extends Error {
  constructor(expected: string, ids: readonly unknown[]) {
    super(`Broken invariant: ${expected} (${ids.map(shown).join(', ')})`)
    this.name = 'BrokenInvariant'
  }
}

/** `expected` says what must hold, `ids` for which objects. Runs in production: keep it cheap. */
export function assert(condition: boolean, expected: string, ...ids: unknown[]): asserts condition {
  if (!condition) throw new BrokenInvariant(expected, ids)
}

function shown(id: unknown): string {
  const text = typeof id === 'string' ? id : (JSON.stringify(id) ?? String(id))
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
