/** Where a long import begins to give memory back, in bytes. */
const enough = 150 * 1024 * 1024

let collect: (() => void) | undefined

/**
 * Lets go of what finished chunks have left. V8 by itself would take hundreds of megabytes before it cares, which is a
 * great deal for a job beside others; a collection of the little that is in use takes milliseconds.
 */
export async function giveMemoryBack(): Promise<void> {
  if (process.memoryUsage.rss() < enough) return
  collect ??= await collector()
  collect()
}

async function collector(): Promise<() => void> {
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([
    import('node:v8'),
    import('node:vm'),
  ])
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
