/** The same value each time it is asked for, made when it is first: a schema costs nothing at start until it is used. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
