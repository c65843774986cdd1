// Divides the program into files. Everyday commands are in one file, which every start loads. Each module that import() reaches
// is a separate part, loaded on demand, because every top-level function costs start-up time even if it is never called
// (6 ms for 1 MB of functions, 3 ms for 400 kB).
import { readdirSync } from 'node:fs'

/** Commands that show data, except the presets of imports. */
const everyDay = /^(?!presets\/)\w+\/(?:ls|show|summary|report|tail)\.ts$/
const commands = readdirSync(new URL('../src/cli/commands', import.meta.url), { recursive: true })

/** Files with several modules of src/, including what they import, except modules of an earlier file. */
export const files = {
  // `custody --version` loads only this file.
  main: ['cli/main.ts'],
  program: [
    'cli/program/program.ts',
    'cli/program/end-with-error.ts',
    'cli/output/printer.ts',
    'cli/output/record.ts',
    'cli/connection/connect.ts',
    'cli/connection/connect-service.ts',
    'cli/connection/operation-support.ts',
    'cli/connection/trace.ts',
    'cli/find/find-by-reference.ts',
    ...commands.filter((name) => everyDay.test(name)).map((name) => `cli/commands/${name}`),
  ],
  // Help, and everything that measures text other than ASCII.
  text: ['cli/output/help-topics.ts', 'cli/output/wrap.ts'],
  // Commands over HTTP do not load the files from here on.
  embedded: ['service/embedded.ts', 'store/open.ts', 'store/sqlite/sqlite-file.ts'],
  fulfillments: ['engine/fulfillments/fulfillments.ts', 'engine/fulfillments/transfers.ts'],
  webhooks: ['engine/webhooks/subscriptions.ts'],
}
