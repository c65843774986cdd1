// What is loaded when. The program is one file: what starts every day, thousands of times. Whatever else is reached by
// import() is a part, a file of its own that is loaded when it is asked for: every function at the top of a file costs
// start-up time even when nobody calls it (1 MB of them cost 6 ms, 400 kB cost 3 ms).
import { readdirSync } from 'node:fs'

/** What looks at things, but for the presets of imports. */
const everyDay = /^(?!presets\/)\w+\/(?:ls|show|summary|report|tail)\.ts$/
const commands = readdirSync(new URL('../src/cli/commands', import.meta.url), { recursive: true })

/** The files of several modules below src/, each with all that these import, but for what a file before it has. */
export const files = {
  // This one alone is loaded to tell the version.
  main: ['cli/main.ts'],
  program: [
    'cli/program/program.ts',
    'cli/program/bad-end.ts',
    'cli/base/style.ts',
    'cli/base/colours.ts',
    'cli/output/printer.ts',
    'cli/output/record.ts',
    'cli/connection/connect.ts',
    'cli/connection/connect-service.ts',
    'cli/connection/operation-support.ts',
    'cli/connection/paging.ts',
    'cli/connection/trace.ts',
    'cli/connection/csv-form.ts',
    'cli/find/find-manifest.ts',
    'cli/events/event-line.ts',
    ...commands.filter((name) => everyDay.test(name)).map((name) => `cli/commands/${name}`),
  ],
  // Over HTTP nothing else is loaded.
  embedded: ['service/embedded.ts', 'store/open.ts', 'store/sqlite/sqlite-file.ts'],
  fulfillments: ['engine/fulfillments/fulfillments.ts', 'engine/fulfillments/transfers.ts'],
  webhooks: ['engine/webhooks/subscriptions.ts', 'engine/webhooks/deliveries.ts'],
}
