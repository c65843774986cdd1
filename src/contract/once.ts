/** Defers a value to its first use, so that a schema costs nothing at start. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
