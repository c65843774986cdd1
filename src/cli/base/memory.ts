/** Long work saves memory above both: resident bytes, and those of V8's heap, the only ones that can be freed. */
const enough = 150 * 1024 * 1024
const enoughHeap = 40 * 1024 * 1024

/** V8's last-resort mode also frees the space for new objects, which reaches 100 MB after a while. */
type Collector = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** The space for new objects keeps its size, and V8 collects once the rest is two and a half times what the last time left. */
const flags = ['--expose-gc', '--semi-space-growth-factor=1', '--heap-growing-percent=150']

let isLow = false

/** V8 alone lets hundreds of megabytes accumulate. Collecting once, before the limits, takes less time than again and again. */
export async function giveMemoryBack(): Promise<void> {
  if (isLow || process.memoryUsage.rss() < enough || process.memoryUsage().heapTotal < enoughHeap) return
  isLow = true
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([
    import('node:v8'),
    import('node:vm'),
  ])
  for (const flag of flags) setFlagsFromString(flag)
  const collect: Collector = runInNewContext('gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
