import { createReadStream } from 'node:fs'

const pieceBytes = 1024 * 1024
/** Reads under way, so that a file is read once at a time however many ask. */
const reading = new Map<string, Promise<boolean>>()

/** Whether every byte of a database's file and of its log can be read. A missing log is no fault. */
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
