/** Memory is given back above both limits: resident bytes, and bytes of V8's heap, the only ones that can be freed. */
const enough = 150 * 1024 * 1024
const enoughHeap = 40 * 1024 * 1024

/** V8's last-resort mode also frees the space for new objects, which reaches 100 MB after a while. */
type Collector = (
  options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' } | { type: 'minor'; execution: 'sync' },
) => void

/** V8 collects the heap at two and a half times its size after the last collection. */
const flags = ['--expose-gc', '--heap-growing-percent=150']
/** How many times as large the space for new objects becomes when V8 next enlarges it. */
const growth = '--semi-space-growth-factor'
/** From one megabyte to four: in one, V8 collects four times as often. */
const newObjectsGrowth = 4

let isLow = false

/** By itself, V8 lets hundreds of megabytes accumulate. Collecting once, before the flags apply, is faster than repeatedly. */
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
  // The space for new objects grows once, and then keeps its size.
  setFlagsFromString(`${growth}=${newObjectsGrowth}`)
  collect({ type: 'minor', execution: 'sync' })
  setFlagsFromString(`${growth}=1`)
}
