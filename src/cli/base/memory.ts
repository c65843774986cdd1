/** From so many bytes on, a long import gives memory back. */
const enough = 150 * 1024 * 1024

let collect: Collector | undefined

/** Arguments of V8's `gc`: its last-resort mode also frees the space for new objects, 100 MB after a while. */
type Collector = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Frees what finished chunks have left. V8 by itself would let hundreds of megabytes gather, which is a lot for a job that runs
 * beside others; collecting while little is in use takes milliseconds.
 */
export async function giveMemoryBack(): Promise<void> {
  if (process.memoryUsage.rss() < enough) return
  collect ??= await collector()
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

async function collector(): Promise<Collector> {
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([
    import('node:v8'),
    import('node:vm'),
  ])
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collector
}
