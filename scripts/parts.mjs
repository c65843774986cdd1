// What is loaded when. The program is one file: what starts every day, thousands of times. Whatever else is reached by
// import() is a part, a file of its own that is loaded when it is asked for: every function at the top of a file costs
// start-up time even when nobody calls it (1 MB of them cost 6 ms, 400 kB cost 3 ms).

/** Where it starts: this file alone is loaded to tell the version. */
export const entry = 'cli/main.ts'

/** Modules below src/ with which the program begins; what they import goes with them. */
export const program = [
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
  'cli/find/find-manifest.ts',
  'cli/events/event-line.ts',
  ...commands('manifests', 'ls', 'show', 'report'),
  ...commands('products', 'ls', 'show'),
  ...commands('items', 'ls', 'show', 'summary'),
  ...commands('intakes', 'ls'),
  ...commands('inventory', 'ls'),
  ...commands('fulfillments', 'ls', 'show'),
  ...commands('transfers', 'ls', 'show'),
  ...commands('events', 'ls', 'tail', 'show'),
  'service/embedded.ts',
  'store/open.ts',
  'store/sqlite/sqlite-file.ts',
  'store/tables/scopes.ts',
]

function commands(noun, ...verbs) {
  return verbs.map((verb) => `cli/commands/${noun}/${verb}.ts`)
}

/** What is wrong with the table. `reached`: the modules that import() reaches; `held`: those that the program's file holds. */
export function partFaults(table, { reached, held }) {
  const isListed = (module) => table.includes(module)
  return [
    ...table
      .filter((module) => !reached.includes(module))
      .map((module) => `${module} is listed, but no import() reaches it`),
    ...reached
      .filter((module) => !isListed(module) && held.includes(module))
      .map((module) => `${module} is to be a part, but something of the program imports it statically`),
  ]
}
