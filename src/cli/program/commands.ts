import type { Noun } from '../command.ts'

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
      ls: () => import('../commands/manifests/ls.ts'),
      show: () => import('../commands/manifests/show.ts'),
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
      ls: () => import('../commands/products/ls.ts'),
      show: () => import('../commands/products/show.ts'),
    },
  },
  items: {
    summary: 'Find and follow the physical items in the warehouse',
    verbs: {
      ls: () => import('../commands/items/ls.ts'),
      show: () => import('../commands/items/show.ts'),
      summary: () => import('../commands/items/summary.ts'),
      find: () => import('../commands/items/find.ts'),
      history: () => import('../commands/items/history.ts'),
    },
  },
  report: {
    summary: 'Report holdings, their age, and storage',
    verbs: {
      holdings: () => import('../commands/report/holdings.ts'),
      ageing: () => import('../commands/report/ageing.ts'),
      storage: () => import('../commands/report/storage.ts'),
      statement: () => import('../commands/report/statement.ts'),
    },
  },
  statement: {
    summary: 'Verify a statement of custody',
    verbs: { verify: () => import('../commands/report/verify-statement.ts') },
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
      create: () => import('../commands/fulfillments/create.ts'),
      ls: () => import('../commands/fulfillments/ls.ts'),
      show: () => import('../commands/fulfillments/show.ts'),
      cancel: () => import('../commands/fulfillments/cancel.ts'),
    },
  },
  transfers: {
    summary: 'Request and follow sell-backs',
    verbs: {
      request: () => import('../commands/transfers/request.ts'),
      ls: () => import('../commands/transfers/ls.ts'),
      show: () => import('../commands/transfers/show.ts'),
      cancel: () => import('../commands/transfers/cancel.ts'),
    },
  },
  events: {
    summary: 'List and follow everything that happened, in order',
    verbs: {
      ls: () => import('../commands/events/ls.ts'),
      tail: () => import('../commands/events/tail.ts'),
      show: () => import('../commands/events/show.ts'),
    },
  },
  webhooks: {
    summary: 'Set up, watch, and repair webhooks: events posted to your address',
    verbs: {
      ls: () => import('../commands/webhooks/ls.ts'),
      show: () => import('../commands/webhooks/show.ts'),
      create: () => import('../commands/webhooks/create.ts'),
      update: () => import('../commands/webhooks/update.ts'),
      rm: () => import('../commands/webhooks/rm.ts'),
      'rotate-secret': () => import('../commands/webhooks/rotate-secret.ts'),
      test: () => import('../commands/webhooks/test.ts'),
      deliveries: () => import('../commands/webhooks/deliveries.ts'),
      redeliver: () => import('../commands/webhooks/redeliver.ts'),
      replay: () => import('../commands/webhooks/replay.ts'),
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
      fulfillment: () => import('../commands/sandbox/fulfillment.ts'),
      transfer: () => import('../commands/sandbox/transfer.ts'),
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
      ls: () => import('../commands/profiles/ls.ts'),
      show: () => import('../commands/profiles/show.ts'),
      use: () => import('../commands/profiles/use.ts'),
      rm: () => import('../commands/profiles/rm.ts'),
    },
  },
  config: {
    summary: 'Get, set, and list settings of this machine',
    verbs: {
      list: () => import('../commands/config/list.ts'),
      get: () => import('../commands/config/get.ts'),
      set: () => import('../commands/config/set.ts'),
    },
  },
  presets: {
    summary: 'Show which exports of other sites imports can read',
    verbs: {
      ls: () => import('../commands/presets/ls.ts'),
      show: () => import('../commands/presets/show.ts'),
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
      digitize: () => import('../commands/warehouse/digitize.ts'),
      store: () => import('../commands/warehouse/store.ts'),
      picks: () => import('../commands/warehouse/picks.ts'),
      pick: () => import('../commands/warehouse/pick.ts'),
      pack: () => import('../commands/warehouse/pack.ts'),
      verify: () => import('../commands/warehouse/verify.ts'),
      label: () => import('../commands/warehouse/label.ts'),
      queue: () => import('../commands/warehouse/queue.ts'),
      ship: () => import('../commands/warehouse/ship.ts'),
      deliver: () => import('../commands/warehouse/deliver.ts'),
      return: () => import('../commands/warehouse/return.ts'),
      issue: () => import('../commands/warehouse/issue.ts'),
      'resolve-issue': () => import('../commands/warehouse/resolve-issue.ts'),
      'resolve-transfer': () => import('../commands/warehouse/resolve-transfer.ts'),
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
          create: () => import('../commands/admin/partners/create.ts'),
          ls: () => import('../commands/admin/partners/ls.ts'),
        },
      },
      keys: {
        summary: 'Create, list, rotate, and revoke API keys',
        verbs: {
          create: () => import('../commands/admin/keys/create.ts'),
          ls: () => import('../commands/admin/keys/ls.ts'),
          rotate: () => import('../commands/admin/keys/rotate.ts'),
          revoke: () => import('../commands/admin/keys/revoke.ts'),
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
    load: () => import('../commands/openapi/openapi.ts'),
  },
  docs: {
    summary: 'Print the page of an operation, or the list of all',
    load: () => import('../commands/openapi/docs.ts'),
  },
  completion: {
    summary: 'Print or install the completion script of a shell',
    load: () => import('../commands/completion/completion.ts'),
  },
  __complete: {
    summary: 'Answer completion scripts',
    isHidden: true,
    load: () => import('../commands/completion/complete.ts'),
  },
}
