/** Bytes above which a long import frees memory: resident ones, and those of V8's heap, which alone can be freed. */
const enough = 150 * 1024 * 1024
const enoughHeap = 40 * 1024 * 1024

let collect: Collector | undefined

/** V8's last-resort mode also frees the space for new objects, which reaches 100 MB after a while. */
type Collector = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** V8 alone lets hundreds of megabytes accumulate; collecting early takes milliseconds and leaves memory to other processes. */
export async function giveMemoryBack(): Promise<void> {
  if (process.memoryUsage.rss() < enough || process.memoryUsage().heapTotal < enoughHeap) return
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
