import { copyFileSync } from 'node:fs'
import type { Environment } from '../../src/contract/enums.ts'
import { ensureScope, issueKey } from '../../src/engine/partners.ts'
import { runtime } from '../../src/runtime/runtime.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { closeFile, freshFile, takeOver } from './machine.ts'
import { createScheduler } from './scheduler.ts'
import { partners } from './story.ts'

type Template = { file: string; keys: string[] }
const templates = new Map<Environment, Promise<Template>>()

/** A database with the schema and the partners, made once: every run begins with a copy of it. */
export async function copyOfTemplate(environment: Environment): Promise<Template> {
  const template = templates.get(environment) ?? make(environment)
  templates.set(environment, template)
  const { file, keys } = await template
  const copy = freshFile('run')
  copyFileSync(file, copy)
  return { file: copy, keys }
}

async function make(environment: Environment): Promise<Template> {
  const scheduler = createScheduler('template')
  takeOver(scheduler)
  const file = freshFile(environment)
  let keys: string[] | undefined
  scheduler.after(0, () => void fill(file, environment).then((made) => (keys = made)))
  await scheduler.runUntil(() => keys !== undefined)
  closeFile(file)
  return { file, keys: keys! }
}

async function fill(file: string, environment: Environment): Promise<string[]> {
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
