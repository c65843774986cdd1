import { inScope } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { bumpCounts } from '../../src/store/tables/counts.ts'

// Another process over one file. `node sqlite-process.ts FILE add N`: creates the database if it is missing and adds 1 to a
// count N times. `... FILE hold`: adds 1, says so, and never commits.
const [file = '', task = '', times = '0'] = process.argv.slice(2)
const db = openSqlite(file)
if (task === 'add') {
  await migrate(db)
  for (let n = 0; n < Number(times); n++)
    await db.write((tx) => bumpCounts(inScope(tx, 1), [{ kind: 'products', key: 'added', by: 1 }]))
  await db.close()
} else {
  await db.write(async (tx) => {
    await bumpCounts(inScope(tx, 1), [{ kind: 'products', key: 'added', by: 1 }])
    process.stdout.write('holding\n')
    await new Promise((resolve) => setTimeout(resolve, 3_600_000))
  })
}
