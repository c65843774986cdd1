export type Checkpointer = {
  /** Has what the log holds already written to the disk: a commit then has only its last pages to wait for. */
  sync(): Promise<void>
  /** Has all that the log holds copied into the database; while nothing is written, the next transaction begins the log anew. */
  copy(): Promise<void>
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
  const copied = attempt(() => copy.get())
  if (copied && copied.log >= workerData.longLog) parentPort.postMessage('long')
}, workerData.everyMs)
// Busy: the next time. Whatever else is wrong, the connections that serve meet it too, and say so.
function attempt(task) {
  try {
    return task()
  } catch {}
}
const tasks = {
  copy: () => copy.get(),
  sync() {
    const log = openSync(workerData.file + '-wal', 'r+')
    fsyncSync(log)
    closeSync(log)
  },
}
parentPort.on('message', (message) => {
  if (message in tasks) {
    attempt(tasks[message])
    parentPort.postMessage('done')
    return
  }
  clearInterval(timer)
  db.close()
  parentPort.close()
})
`

type Watcher = {
  /**
   * The log is long, and all but its last pages are copied. Where writing never stops there are always such: `copy` is to be
   * called between two transactions of the writer.
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
  const asking = new Set<() => void>()
  worker.on('message', (message) => (message === 'long' ? onLongLog() : letGo(asking)))
  const over = new Promise<void>((resolve) => {
    // What it died of comes before its end, and would end the process if nobody heard it.
    worker.once('error', () => {})
    worker.once('exit', () => {
      if (!isStopped) onDeath()
      isStopped = true
      letGo(asking)
      resolve()
    })
  })
  const ask = async (task: 'sync' | 'copy'): Promise<void> => {
    if (isStopped) return
    await new Promise<void>((resolve) => {
      asking.add(resolve)
      worker.postMessage(task)
    })
  }
  return {
    sync: () => ask('sync'),
    copy: () => ask('copy'),
    async stop() {
      isStopped = true
      worker.ref()
      worker.postMessage('stop')
      await over
    },
  }
}

/** There is one writer, so nobody else waits. */
function letGo(asking: Set<() => void>): void {
  for (const resolve of asking) resolve()
  asking.clear()
}
