import { startThread } from './sqlite-thread.ts'

export type Checkpointer = {
  /** Flushes the log so far, so that a commit waits only for its last pages. */
  sync(): Promise<void>
  /** Copies the whole log into the database. If nothing is written meanwhile, the next transaction restarts the log. */
  copy(): Promise<void>
  stop(): Promise<void>
}

/** How often to copy committed pages from the log into the database, in milliseconds. */
const everyMs = 500
/** A log of at least this many pages counts as long: 256 MB. */
const longLog = 65_536

const code = `
const { closeSync, fdatasyncSync, fsyncSync, openSync } = require('node:fs')
const { parentPort, workerData } = require('node:worker_threads')
const { DatabaseSync } = require('node:sqlite')
const db = new DatabaseSync(workerData.file)
const copy = db.prepare('pragma wal_checkpoint(passive)')
// Never closed, because that would drop this process's locks on the file.
const database = openSync(workerData.file, 'r+')
const timer = setInterval(() => {
  const copied = attempt(() => copy.get())
  if (!copied || copied.log < workerData.longLog) return
  // Writes wait for the next copy, which flushes the file. Flushing now leaves little for it.
  attempt(() => fdatasyncSync(database))
  attempt(() => copy.get())
  attempt(() => fdatasyncSync(database))
  parentPort.postMessage({ news: true })
}, workerData.everyMs)
// If busy, retries next time. The serving connections meet and report any other error.
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
    parentPort.postMessage({})
    return
  }
  clearInterval(timer)
  db.close()
  parentPort.close()
})
`

type Watcher = {
  /** Called if the log is long though mostly copied, as under constant writes: call `copy` between two transactions. */
  onLongLog: () => void
  /** Called if the thread ended by itself, so the owner must copy the log. */
  onDeath: () => void
}

/** Runs in another thread, because the copy after a large import would block every request for a second or more. */
export async function startCheckpointer(
  file: string,
  { onLongLog, onDeath }: Watcher,
  tuning: { everyMs?: number; longLog?: number } = {},
): Promise<Checkpointer> {
  let isStopped = false
  const thread = await startThread<'sync' | 'copy', void>(code, {
    workerData: { file, everyMs, longLog, ...tuning },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
    trackUnmanagedFds: false,
    onNews: onLongLog,
    onEnd: () => isStopped || onDeath(),
  })
  thread.hold(false)
  // If the thread has ended, there is nothing to wait for.
  const ask = (task: 'sync' | 'copy') => thread.ask(task).catch(() => {})
  return {
    sync: () => ask('sync'),
    copy: () => ask('copy'),
    stop() {
      isStopped = true
      return thread.stop()
    },
  }
}
