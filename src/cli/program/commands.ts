import type { CommandFile, Load, Noun } from '../command.ts'

/** Everyday commands; the others are for setup and for the warehouse. */
export const everyday: ReadonlySet<string> = new Set([
  ...['status', 'manifests', 'products', 'items', 'report', 'intakes', 'inventory', 'fulfillments'],
  ...['transfers', 'events', 'wait'],
])

export const nouns: Readonly<Record<string, Noun>> = {
  status: {
    summary: 'Show what needs attention today',
    load: () => import('../commands/status.ts'),
  },
  manifests: {
    summary: 'Submit and follow manifests: what you bought and expect to arrive',
    verbs: {
      submit: () => import('../commands/manifests/submit.ts'),
      ...commandsIn(() => import('../commands/manifests/show.ts'), 'ls', 'show'),
      close: () => import('../commands/manifests/close.ts'),
      report: () => import('../commands/manifests/report.ts'),
      labels: () => import('../commands/manifests/labels.ts'),
    },
  },
  products: {
    summary: 'Import, create, and look up products of your catalog',
    verbs: {
      import: () => import('../commands/products/import.ts'),
      create: () => import('../commands/products/create.ts'),
      ...commandsIn(() => import('../commands/products/show.ts'), 'ls', 'show'),
    },
  },
  items: {
    summary: 'Find and follow the physical items in the warehouse',
    verbs: {
      ...commandsIn(() => import('../commands/items/show.ts'), 'ls', 'show'),
      summary: () => import('../commands/items/summary.ts'),
      find: () => import('../commands/items/find.ts'),
      history: () => import('../commands/items/history.ts'),
    },
  },
  report: {
    summary: 'Report holdings, their age, and storage',
    verbs: {
      ...commandsIn(() => import('../commands/report/holdings.ts'), 'holdings', 'ageing'),
      storage: () => import('../commands/report/storage.ts'),
      statement: () => commandIn(import('../commands/report/statement.ts'), 'statement'),
    },
  },
  statement: {
    summary: 'Verify a statement of custody',
    verbs: { verify: () => commandIn(import('../commands/report/statement.ts'), 'verify') },
  },
  sync: {
    summary: 'Keep a local SQLite copy of your items, orders, and events',
    load: () => import('../commands/mirror/sync.ts'),
  },
  sql: {
    summary: 'Query the local copy with SQL',
    load: () => import('../commands/mirror/sql.ts'),
  },
  intakes: {
    summary: 'List arrivals: what arrived, when, and in what condition',
    verbs: { ls: () => import('../commands/intakes/ls.ts') },
  },
  inventory: {
    summary: 'Show stock by SKU',
    verbs: { ls: () => import('../commands/inventory/ls.ts') },
  },
  fulfillments: {
    summary: 'Order, follow, and cancel shipments to your customers',
    verbs: {
      import: () => import('../commands/fulfillments/import.ts'),
      create: () => commandIn(import('../commands/fulfillments/create.ts'), 'create'),
      ...commandsIn(() => import('../commands/fulfillments/show.ts'), 'ls', 'show'),
      cancel: () => commandIn(import('../commands/fulfillments/create.ts'), 'cancel'),
    },
  },
  transfers: {
    summary: 'Request and follow sell-backs',
    verbs: {
      request: () => commandIn(import('../commands/transfers/request.ts'), 'request'),
      ...commandsIn(() => import('../commands/transfers/show.ts'), 'ls', 'show'),
      cancel: () => commandIn(import('../commands/transfers/request.ts'), 'cancel'),
    },
  },
  events: {
    summary: 'List and follow everything that happened, in order',
    verbs: {
      ls: () => commandIn(import('../commands/events/show.ts'), 'ls'),
      tail: () => import('../commands/events/tail.ts'),
      show: () => commandIn(import('../commands/events/show.ts'), 'show'),
    },
  },
  webhooks: {
    summary: 'Set up, watch, and repair webhooks: events posted to your address',
    verbs: {
      ...commandsIn(() => import('../commands/webhooks/show.ts'), 'ls', 'show'),
      ...commandsIn(() => import('../commands/webhooks/subscriptions.ts'), 'create', 'update', 'rm'),
      'rotate-secret': () => commandIn(import('../commands/webhooks/subscriptions.ts'), 'rotateSecret'),
      test: () => import('../commands/webhooks/test.ts'),
      ...commandsIn(() => import('../commands/webhooks/deliveries.ts'), 'deliveries', 'redeliver', 'replay'),
      verify: () => import('../commands/webhooks/verify.ts'),
    },
  },
  wait: {
    summary: 'Wait until manifests, fulfillments, or transfers have a status',
    load: () => import('../commands/wait.ts'),
  },
  sandbox: {
    summary: 'Rehearse arrivals, progress, and time without physical items',
    verbs: {
      receive: () => import('../commands/sandbox/receive.ts'),
      intake: () => import('../commands/sandbox/intake.ts'),
      advance: () => import('../commands/sandbox/advance.ts'),
      ...commandsIn(() => import('../commands/sandbox/transfer.ts'), 'fulfillment', 'transfer'),
      clock: () => import('../commands/sandbox/clock.ts'),
      seed: () => import('../commands/sandbox/seed.ts'),
      reset: () => import('../commands/sandbox/reset.ts'),
    },
  },
  init: {
    summary: 'Set up a target: a service and its key, or a database file',
    load: () => import('../commands/init.ts'),
  },
  profiles: {
    summary: 'List, show, choose, and delete saved targets',
    verbs: {
      ...commandsIn(() => import('../commands/profiles/show.ts'), 'ls', 'show'),
      ...commandsIn(() => import('../commands/profiles/change.ts'), 'use', 'rm'),
    },
  },
  config: {
    summary: 'Get, set, and list settings of this machine',
    verbs: {
      ...commandsIn(() => import('../commands/config.ts'), 'list', 'get', 'set'),
    },
  },
  presets: {
    summary: 'Show which exports of other sites imports can read',
    verbs: {
      ...commandsIn(() => import('../commands/presets/show.ts'), 'ls', 'show'),
      rm: () => import('../commands/presets/rm.ts'),
    },
  },
  whoami: {
    summary: 'Show the target and where each setting came from',
    load: () => import('../commands/whoami.ts'),
  },
  doctor: {
    summary: 'Check the target: connection, key, clock, and database',
    load: () => import('../commands/support/doctor.ts'),
  },
  version: {
    summary: 'Show the version and what it runs on',
    load: () => import('../commands/support/version.ts'),
  },
  bug: {
    summary: 'Collect what a bug report needs',
    load: () => import('../commands/support/bug.ts'),
  },
  demo: {
    summary: 'Show the whole story on a temporary database, in seconds',
    load: () => import('../commands/demo.ts'),
  },
  warehouse: {
    summary: "Do the warehouse's work: receive, pick, ship, return",
    verbs: {
      intake: () => import('../commands/warehouse/intake.ts'),
      receive: () => import('../commands/warehouse/receive.ts'),
      count: () => import('../commands/warehouse/count.ts'),
      ...commandsIn(() => import('../commands/warehouse/steps.ts'), 'digitize', 'store'),
      picks: () => import('../commands/warehouse/picks.ts'),
      ...commandsIn(
        () => import('../commands/warehouse/steps.ts'),
        'pick',
        'pack',
        'verify',
        'label',
        'queue',
        'ship',
        'deliver',
      ),
      return: () => commandIn(import('../commands/warehouse/steps.ts'), 'returned'),
      issue: () => commandIn(import('../commands/warehouse/steps.ts'), 'issue'),
      'resolve-issue': () => commandIn(import('../commands/warehouse/steps.ts'), 'resume'),
      'resolve-transfer': () => commandIn(import('../commands/warehouse/steps.ts'), 'resolveTransfer'),
    },
  },
  api: {
    summary: 'Call any operation by its method and path',
    load: () => import('../commands/api/api.ts'),
  },
  mcp: {
    summary: 'Serve an assistant over the Model Context Protocol',
    load: () => import('../commands/mcp/mcp.ts'),
  },
  serve: {
    summary: 'Run the HTTP service',
    load: () => import('../commands/serve/serve.ts'),
  },
  admin: {
    summary: 'Manage partner accounts and their API keys',
    verbs: {
      partners: {
        summary: 'Manage partner accounts',
        verbs: {
          ...commandsIn(() => import('../commands/admin/partners.ts'), 'create', 'ls'),
        },
      },
      keys: {
        summary: 'Create, list, rotate, and revoke API keys',
        verbs: {
          ...commandsIn(() => import('../commands/admin/keys.ts'), 'create', 'ls', 'rotate', 'revoke'),
        },
      },
    },
  },
  db: {
    summary: 'Migrate, check, back up, copy, and measure databases',
    verbs: {
      migrate: () => import('../commands/db/migrate.ts'),
      check: () => import('../commands/db/check.ts'),
      backup: () => import('../commands/db/backup.ts'),
      copy: () => import('../commands/db/copy.ts'),
      stats: () => import('../commands/db/stats.ts'),
    },
  },
  conformance: {
    summary: 'Check a service against every clause of the specification',
    load: () => import('../commands/conformance/conformance.ts'),
  },
  openapi: {
    summary: 'Print the OpenAPI document',
    load: () => commandIn(import('../commands/openapi.ts'), 'openapi'),
  },
  docs: {
    summary: 'Print the page of an operation, or the list of all',
    load: () => commandIn(import('../commands/openapi.ts'), 'docs'),
  },
  completion: {
    summary: 'Print or install the completion script of a shell',
    load: () => commandIn(import('../commands/completion/completion.ts'), 'completion'),
  },
  __complete: {
    summary: 'Answer completion scripts',
    isHidden: true,
    load: () => commandIn(import('../commands/completion/completion.ts'), 'complete'),
  },
}

type FileOf<Name extends string, File> = Promise<Readonly<Record<Name, File>>>

async function commandIn<Name extends string, File>(
  file: FileOf<Name, File>,
  name: Name,
): Promise<{ command: File }> {
  return { command: (await file)[name] }
}

/** Verbs that are exported by the same names. */
function commandsIn<Name extends string>(
  file: () => FileOf<Name, CommandFile<never[]>>,
  ...names: Name[]
): Record<Name, Load> {
  return Object.fromEntries(names.map((name) => [name, () => commandIn(file(), name)])) as Record<Name, Load>
}
