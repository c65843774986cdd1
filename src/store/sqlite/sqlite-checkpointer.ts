export type Checkpointer = {
  /** Has what the log holds already written to the disk: a commit then has only its last pages to wait for. */
  sync(): Promise<void>
  stop(): Promise<void>
}

/** How often what has been committed is copied from the log into the database, in milliseconds. */
const everyMs = 500
/** From so many pages on a log counts as long: 256 MB. */
const longLog = 65_536

/** Plain JavaScript: it runs in a thread of its own, which loads nothing of ours. */
const code = `
const { closeSync, fsyncSync, openSync } = require('node:fs')
const { parentPort, workerData } = require('node:worker_threads')
const { DatabaseSync } = require('node:sqlite')
const db = new DatabaseSync(workerData.file)
const copy = db.prepare('pragma wal_checkpoint(passive)')
const timer = setInterval(() => {
  try {
    if (copy.get().log >= workerData.longLog) parentPort.postMessage('long')
  } catch {
    // Busy: the next time. Whatever else is wrong, the connections that serve meet it too, and say so.
  }
}, workerData.everyMs)
function sync() {
  try {
    const log = openSync(workerData.file + '-wal', 'r+')
    fsyncSync(log)
    closeSync(log)
  } catch {
    // The commit does it all, then, and says what is wrong.
  }
}
parentPort.on('message', (message) => {
  if (message === 'sync') {
    sync()
    parentPort.postMessage('synced')
    return
  }
  clearInterval(timer)
  db.close()
  parentPort.close()
})
`

type Watcher = {
  /**
   * The log is long, and all but its last pages are copied. Where writing never stops there are always such; the writer copies
   * them between two of its transactions, and the next one begins the log anew.
   */
  onLongLog: () => void
  /** The thread has ended by itself: who serves must see to the log. */
  onDeath: () => void
}

/**
 * Copies the write-ahead log of a SQLite file into the file from a thread aside: in the thread that serves, the copy after a
 * large import would hold up every other request for a second and more.
 */
export async function startCheckpointer(
  file: string,
  { onLongLog, onDeath }: Watcher,
  tuning: { everyMs?: number; longLog?: number } = {},
): Promise<Checkpointer> {
  const { Worker } = await import('node:worker_threads')
  const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 }
  const workerData = { file, everyMs, longLog, ...tuning }
  const worker = new Worker(code, { eval: true, workerData, resourceLimits })
  worker.unref()
  let isStopped = false
  const syncing = new Set<() => void>()
  worker.on('message', (message) => (message === 'long' ? onLongLog() : letGo(syncing)))
  const over = new Promise<void>((resolve) => {
    // What it died of comes before its end, and would end the process if nobody heard it.
    worker.once('error', () => {})
    worker.once('exit', () => {
      if (!isStopped) onDeath()
      isStopped = true
      letGo(syncing)
      resolve()
    })
  })
  return {
    async sync() {
      if (isStopped) return
      await new Promise<void>((resolve) => {
        syncing.add(resolve)
        worker.postMessage('sync')
      })
    },
    async stop() {
      isStopped = true
      worker.ref()
      worker.postMessage('stop')
      await over
    },
  }
}

/** There is one writer, so nobody else waits. */
function letGo(syncing: Set<() => void>): void {
  for (const resolve of syncing) resolve()
  syncing.clear()
}
