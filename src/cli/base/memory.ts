/** Where a long import begins to give memory back, in bytes. */
const enough = 150 * 1024 * 1024

let collect: Collector | undefined

/** What `gc` of V8 takes: its last resort also gives back the room that new objects had, 100 MB after a while. */
type Collector = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Lets go of what finished chunks have left. V8 by itself would take hundreds of megabytes before it cares, which is a
 * great deal for a job beside others; a collection of the little that is in use takes milliseconds.
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
