import { randomBytes } from 'node:crypto'
import { defaultSettings } from '../../src/engine/context.ts'
import { createEventSignal } from '../../src/service/jobs/event-signal.ts'
import { createDeliveryWorker } from '../../src/service/webhooks/delivery-worker.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { loopbackGuard } from './webhook-receiver.ts'

// A delivering process, to be killed: `node webhook-process.ts FILE NOW`.
const [file = '', now = ''] = process.argv.slice(2)
createDeliveryWorker({
  db: openSqlite(file),
  environment: 'sandbox',
  sources: { clock: () => Number(now), uptime: () => Number(now), random: randomBytes },
  settings: defaultSettings,
  signal: createEventSignal(),
  guard: loopbackGuard(),
}).start()
