import { readdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Operator } from './operator.ts'

/** As after eight days: results are kept for seven. */
export function eightDaysLater(operator: Operator, database = operator.database): void {
  forgetResults(database)
  ageNotes(operator, 8 * 24)
}

/** No Idempotency-Key of this database has a stored result any more. */
export function forgetResults(database: string): void {
  const db = new DatabaseSync(database)
  db.exec('delete from idempotency')
  db.close()
}

/** What the tool has noted is so much older. */
export function ageNotes(operator: Operator, hours: number): void {
  rewriteNotes(operator, (text) =>
    text.replace(/"(at|started_at|ended_at|submitted_at)":"([^"]+)"/g, (_, name, time) => {
      return `"${name}":"${new Date(Date.parse(time) - hours * 3_600_000).toISOString()}"`
    }),
  )
}

export function rewriteNotes(operator: Operator, change: (text: string) => string): void {
  for (const folder of readdirSync(operator.path('state/custody')))
    for (const name of readdirSync(operator.path(`state/custody/${folder}`))) {
      const file = `state/custody/${folder}/${name}`
      operator.write(file, change(operator.read(file)))
    }
}
