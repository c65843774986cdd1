import { pageSizeMax } from '../../contract/limits.ts'
import type { CommandFile } from '../command.ts'
import { scopeTime } from '../connection/scope-time.ts'
import { type WatchOptions, watchable, watched } from '../list/watch.ts'
import { readMorning, statusView } from '../status/morning.ts'

export const command: CommandFile<[WatchOptions]> = {
  summary: 'Show what needs attention today',
  details:
    'Shows open manifests with what has arrived and when they close, shipments with an issue or past their date, waiting transfers, failing webhooks, and sold-out products. In a terminal, `custody` alone does the same.',
  examples: ['status', 'status --watch 60', 'status --json'],
  define: watchable,
  view: () => statusView,
  async run(session, options) {
    await watched(session, options, async (own) => {
      const target = await own.target()
      const printer = await own.printer()
      const now = new Date(await scopeTime(target, own.io.now())).toISOString()
      const { morning, cut } = await readMorning(target.client, now)
      await printer.one(morning)
      if (cut.length > 0) own.notice(`Looked only at the first ${pageSizeMax} of ${cut.join(', ')}.`)
    })
  },
}
