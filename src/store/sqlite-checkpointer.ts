export type Checkpointer = { stop(): Promise<void> }

/** How often what has been committed is copied from the log into the database, in milliseconds. */
const everyMs = 500

/** Plain JavaScript: it runs in a thread of its own, which loads nothing of ours. */
const code = `
const { parentPort, workerData } = require('node:worker_threads')
const { DatabaseSync } = require('node:sqlite')
const db = new DatabaseSync(workerData.file)
const timer = setInterval(() => {
  try {
    db.exec('pragma wal_checkpoint(passive)')
  } catch {
    // Busy: the next time. Whatever else is wrong, the connections that serve meet it too, and say so.
  }
}, workerData.everyMs)
parentPort.once('message', () => {
  clearInterval(timer)
  db.close()
})
`

/**
 * Copies the write-ahead log of a SQLite file into the file from a thread aside: in the thread that serves, the copy after a
 * large import would hold up every other request for a tenth of a second.
 */
export async function startCheckpointer(file: string): Promise<Checkpointer> {
  const { Worker } = await import('node:worker_threads')
  const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 }
  const worker = new Worker(code, { eval: true, workerData: { file, everyMs }, resourceLimits })
  worker.unref()
  const over = new Promise<void>((resolve) => {
    worker.once('exit', () => resolve())
    // Without it, the connections that serve copy the log themselves, later and all at once.
    worker.once('error', () => resolve())
  })
  return {
    async stop() {
      worker.ref()
      worker.postMessage('stop')
      await over
    },
  }
}
