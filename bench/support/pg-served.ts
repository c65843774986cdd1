import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ensureScope, issueKey } from '../../src/engine/partners.ts'
import { runtime } from '../../src/runtime/runtime.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openDatabase } from '../../src/store/open.ts'

const program = join(import.meta.dirname, '..', '..', 'bin', 'custody.js')
/** Never reached, so that the limiter's own work is measured, and clients of one key are not rejected. */
const limits = ['--rate-limit', '900000:9000000', '--key-limits', 'off']

export type Serving = { origin: string; pid: number; stop(): Promise<void> }

/** The built program as a process, over a file or an address. */
export async function startOver(place: string, more: readonly string[] = []): Promise<Serving> {
  const args = [program, 'serve', '--database', place, '--port', '0', ...limits, ...more]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'close')
  const [line] = await Promise.race([once(child.stdout, 'data'), ended])
  const [origin] = /http:\/\/[^\s/]+/.exec(String(line)) ?? []
  if (origin === undefined || child.pid === undefined) throw new Error(`not serving: ${line}`)
  child.stdout.resume()
  return {
    origin,
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Keys of new partners, one each. */
export async function makePartners(place: string, count: number): Promise<string[]> {
  const db = await openDatabase(place)
  await migrate(db)
  const keys: string[] = []
  for (let i = 0; i < count; i++) {
    keys.push(
      await db.write(async (tx) => {
        const scope = await ensureScope(tx, runtime, `Writer ${i}`, 'sandbox')
        return (await issueKey(tx, runtime, scope)).key
      }),
    )
  }
  await db.close()
  return keys
}
