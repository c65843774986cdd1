import { copyFileSync } from 'node:fs'
import { ensureScope, issueKey } from '../../src/engine/partners.ts'
import { runtime } from '../../src/runtime/runtime.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { closeFile, freshFile, takeOver } from './machine.ts'
import { createScheduler } from './scheduler.ts'
import { environment } from './service-process.ts'
import { partners } from './story.ts'

const name = `custody-simulation-${process.pid}`
let template: Promise<{ file: string; keys: string[] }> | undefined

/** A database with the schema and the partners, made once: every run begins with a copy of it. */
export async function copyOfTemplate(): Promise<{ file: string; keys: string[] }> {
  template ??= make()
  const { file, keys } = await template
  const copy = freshFile(`${name}-run`)
  copyFileSync(file, copy)
  return { file: copy, keys }
}

async function make(): Promise<{ file: string; keys: string[] }> {
  const scheduler = createScheduler('template')
  takeOver(scheduler)
  const file = freshFile(name)
  let keys: string[] | undefined
  scheduler.after(0, () => void fill(file).then((made) => (keys = made)))
  await scheduler.runUntil(() => keys !== undefined)
  closeFile(file)
  return { file, keys: keys! }
}

async function fill(file: string): Promise<string[]> {
  const db = openSqlite(file)
  await migrate(db)
  const keys = await db.write(async (tx) => {
    const made: string[] = []
    for (let n = 0; n < partners; n++) {
      const scope = await ensureScope(tx, runtime, `Partner ${n}`, environment)
      made.push((await issueKey(tx, runtime, scope)).key)
    }
    return made
  })
  await db.close()
  return keys
}
