import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createClient } from '../../src/client/client.ts'
import { openEmbedded } from '../../src/service/embedded.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'

/**
 * `node import-products.ts FILE DATABASE`: what `custody products import` does without the command around it. A process of
 * its own, so that its time and its memory are measured from outside. Lines must not hold line breaks in quotes.
 */
const [file = '', database = ''] = process.argv.slice(2)
const rowsAtOnce = 5000
const embedded = await openEmbedded({ db: openSqlite(database), partner: 'Bench', environment: 'sandbox' })
let key = 0
const client = createClient({
  transport: embedded.service.handle,
  baseUrl: 'http://embedded.invalid/v1',
  newIdempotencyKey: () => `bench-${key++}`,
})
let [header, lines, created]: [string | undefined, string[], number] = [undefined, [], 0]
for await (const line of createInterface({ input: createReadStream(file) })) {
  if (header === undefined) header = line
  else if (lines.push(line) === rowsAtOnce) await send()
}
if (lines.length > 0) await send()
await embedded.close()
console.log(created)

async function send(): Promise<void> {
  const upload = Buffer.from(`${header}\n${lines.join('\n')}\n`)
  lines = []
  const { data } = await client.importProductsCsv({ form: { file: upload } })
  created += data.totals.created
}
