/** What took too long; it goes on, and nobody waits for it any more. */
export class Late extends Error {
  constructor(ms: number) {
    super(`took longer than ${ms} ms`)
    this.name = 'Late'
  }
}

/** What a promise brings within `ms`. Throws `Late` after that. */
export function inTime<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Late(ms)), ms)
  })
  // It may still fail when nobody waits for it any more.
  promise.catch(() => {})
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
