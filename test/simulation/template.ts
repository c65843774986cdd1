import { copyFileSync } from 'node:fs'
import type { Environment } from '../../src/contract/enums.ts'
import { ensureScope, issueKey } from '../../src/engine/partners.ts'
import { runtime } from '../../src/runtime/runtime.ts'
import type { Database } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openDatabase } from '../../src/store/open.ts'
import { closeFile, freshFile, outside, takeOver } from './machine.ts'
import { createScheduler } from './scheduler.ts'
import { partners } from './story.ts'

type Template = { place: string; keys: string[] }
const templates = new Map<Environment, Promise<Template>>()

/** Creates a database, empty or as a copy, and returns its path. */
export type MakeDatabase = (name: string, from?: string) => string | Promise<string>

let makeDatabase: MakeDatabase = (name, from) => {
  const file = freshFile(name)
  if (from !== undefined) copyFileSync(from, file)
  return file
}

export function makeDatabasesBy(make: MakeDatabase): void {
  makeDatabase = make
}

/** Processes do not notify each other of their commits, because no seed determines that moment. */
export async function openStore(place: string): Promise<Database> {
  const { relay: _relay, ...db } = await outside(openDatabase(place))
  return db
}

/** A database with the schema and the partners, created once: every run begins with a copy of it. */
export async function copyOfTemplate(environment: Environment): Promise<Template> {
  const template = templates.get(environment) ?? make(environment)
  templates.set(environment, template)
  const { place, keys } = await template
  return { place: await makeDatabase('run', place), keys }
}

async function make(environment: Environment): Promise<Template> {
  const scheduler = createScheduler('template')
  takeOver(scheduler)
  const place = await makeDatabase(environment)
  let keys: string[] | undefined
  scheduler.after(0, () => void fill(place, environment).then((made) => (keys = made)))
  await scheduler.runUntil(() => keys !== undefined)
  closeFile(place)
  return { place, keys: keys! }
}

async function fill(place: string, environment: Environment): Promise<string[]> {
  const db = await openStore(place)
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
