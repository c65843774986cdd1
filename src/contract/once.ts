/** Defers a value to its first use, so that a schema costs nothing at start. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Makes a value once for each object, which must not change. */
export function oncePer<Key extends object, T>(make: (key: Key) => T): (key: Key) => T {
  const made = new WeakMap<Key, T>()
  return (key) => {
    if (!made.has(key)) made.set(key, make(key))
    return made.get(key) as T
  }
}
