import { createReadStream } from 'node:fs'

const pieceBytes = 1024 * 1024
/** However many ask, a file is read once at a time. */
const reading = new Map<string, Promise<boolean>>()

/** Whether the disk gives every byte of a database's file and of its log. What is not there is not missed. */
export function isReadable(file: string): Promise<boolean> {
  const running = reading.get(file)
  if (running) return running
  const started = readAll(file).finally(() => reading.delete(file))
  reading.set(file, started)
  return started
}

async function readAll(file: string): Promise<boolean> {
  for (const name of [file, `${file}-wal`]) {
    try {
      for await (const _ of createReadStream(name, { highWaterMark: pieceBytes }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return false
    }
  }
  return true
}
