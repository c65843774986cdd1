import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'

/**
 * A bare node:http server without key, rate limit, routing, parsing, or checks: it runs the query of `GET /items?page_size=25`
 * over a table with a column for each field, builds the objects, and sends their JSON.
 */
const [file = ''] = process.argv.slice(2)
const db = new DatabaseSync(file)
db.exec('pragma cache_size = -65536; pragma mmap_size = 268435456; pragma temp_store = memory')
const page = db.prepare(`
  select qid, type, name, sku, status, category, "set", card_number, external_ref, manifest_line_id,
    active_fulfillment_id, image_assets, intake_at, updated_at, model_3d, cert_number, grade, grader
  from bare_items where scope_id = 1 and held = 1 order by intake_at desc, item_no desc limit 25 offset 0`)
const held = db.prepare(`
  select sum(n) as n from counts where scope_id = 1 and kind = 'items'
    and not (key like 'delivered|%' or key like 'released|%' or key like 'withdrawn|%')`)

const server = createServer((_request, response) => {
  const { n: total } = held.get() as { n: number }
  const results = page.all() as Array<Record<string, unknown>>
  for (const row of results) row.image_assets = JSON.parse(String(row.image_assets))
  const body = JSON.stringify({
    page_size: 25,
    count: results.length,
    total,
    current_page_number: 1,
    next_page_number: 2,
    next: `http://127.0.0.1/v1/items?page_size=25&page=2`,
    previous: null,
    previous_page_number: null,
    results,
  })
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
