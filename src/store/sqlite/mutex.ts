/** One at a time, in the order of asking, for asynchronous code around a single connection. */
export function createMutex(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return function exclusive<T>(task: () => Promise<T>): Promise<T> {
    const result = last.then(task, task)
    last = result.then(noop, noop)
    return result
  }
}

function noop(): void {}
