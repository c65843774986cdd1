// What is loaded when. The program is one file: what starts every day, thousands of times. Whatever else is reached by
// import() is a part, a file of its own that is loaded when it is asked for: every function at the top of a file costs
// start-up time even when nobody calls it (1 MB of them cost 6 ms, 400 kB cost 3 ms).

/** Where it starts: this file alone is loaded to tell the version. */
export const entry = 'cli/main.ts'

/** The files of several modules below src/, each with all that these import, but for what a file before it has. */
export const files = {
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
    ...commands('manifests', 'ls', 'show', 'report'),
    ...commands('products', 'ls', 'show'),
    ...commands('items', 'ls', 'show', 'summary'),
    ...commands('intakes', 'ls'),
    ...commands('inventory', 'ls'),
    ...commands('fulfillments', 'ls', 'show'),
    ...commands('transfers', 'ls', 'show'),
    ...commands('events', 'ls', 'tail', 'show'),
  ],
  // Over HTTP nothing else is loaded.
  embedded: ['service/embedded.ts', 'store/open.ts', 'store/sqlite/sqlite-file.ts', 'store/tables/scopes.ts'],
  fulfillments: ['engine/fulfillments/fulfillments.ts', 'engine/fulfillments/transfers.ts'],
  webhooks: ['engine/webhooks/subscriptions.ts', 'engine/webhooks/deliveries.ts'],
}

function commands(noun, ...verbs) {
  return verbs.map((verb) => `cli/commands/${noun}/${verb}.ts`)
}

/** What is wrong with such a table. `reached`: the modules that import() reaches; `held`: those that its files hold. */
export function partFaults(table, { reached, held }) {
  const listed = Object.values(table).flat()
  const unreached = listed.filter((module) => !reached.includes(module))
  const drawn = reached.filter((module) => !listed.includes(module) && held.includes(module))
  return [
    ...unreached.map((module) => `${module} is listed, but no import() reaches it`),
    ...drawn.map((module) => `${module} is to be a part, but a listed file imports it statically`),
  ]
}
