import type { Fault } from './fault.ts'

export const storeFaults: readonly Fault[] = [
  {
    name: "another partner's event is a cursor of this one's log",
    file: 'src/store/tables/webhooks/events.ts',
    find: 'select seq from events where scope_id = ${scopeId} and id = ${id}`',
    replace: 'select seq from events where id = ${id}`',
    tests: ['test/service/waiting.test.ts'],
    isSimulated: true,
  },
  {
    name: 'a write is answered before it is committed',
    file: 'src/store/sqlite/group-commit.ts',
    find: `    if (db.isTransaction) db.exec(done.length > 0 ? 'commit' : 'rollback')
    for (const { waiting, value } of done) waiting.resolve(value)`,
    replace: `    for (const { waiting, value } of done) waiting.resolve(value)
    if (db.isTransaction) db.exec(done.length > 0 ? 'commit' : 'rollback')`,
    tests: ['test/service/disk-faults.test.ts'],
    isSimulated: true,
  },
  {
    name: 'a write that failed in a group leaves what it did',
    file: 'src/store/sqlite/group-commit.ts',
    find: "db.exec('rollback to one; release one')",
    replace: "db.exec('release one')",
    tests: ['test/store/group-commit.test.ts', 'test/store/sqlite.test.ts'],
    isSimulated: true,
  },
  {
    name: 'a commit that was cut off counts as not done',
    file: 'src/store/postgres/pg-fault.ts',
    find: "return code !== '40003' && !going.has(code) && !/^(08|XX)/.test(code)",
    replace: "return code !== '40003' && !/^(08|XX)/.test(code)",
    tests: ['test/store/pg-setbacks.test.ts', 'test/service/lost-commit.test.ts'],
  },
  {
    name: 'a statement that nobody waited for fails unheard',
    file: 'src/store/postgres/pg-transaction.ts',
    find: '        failed ??= { error }\n',
    replace: '        heard ??= { error }\n',
    tests: ['test/store/pg.test.ts', 'test/store/pg-setbacks.test.ts'],
  },
  {
    name: 'two workers lease the same stretch of the log',
    file: 'src/store/tables/webhooks/delivery-ranges.ts',
    find: ' and r.subscription_id = ${subscriptionId} and ${freeLease(lease.now)}',
    replace: ' and r.subscription_id = ${subscriptionId}',
    tests: ['test/engine/delivery-ranges.test.ts', 'test/service/webhooks-workers.test.ts'],
  },
  {
    name: 'a worker that lost its lease still says what became of the batch',
    file: 'src/store/tables/webhooks/delivery-ranges.ts',
    find: '    and lease_owner = ${owner}`',
    replace: '`',
    tests: ['test/engine/delivery-attempts.test.ts', 'test/service/webhooks-lost-leases.test.ts'],
    isSimulated: true,
  },
  {
    name: 'what asks late opens a closed SQLite file again',
    file: 'src/store/sqlite/sqlite.ts',
    find: '      isClosed = true\n',
    replace: '',
    tests: ['test/store/sqlite.test.ts'],
    undoes: '9a6bb42',
  },
  {
    name: 'a partner has all connections but none for its reads beside a write',
    file: 'src/store/postgres/pg.ts',
    find: 'capacityOfOne: Math.max(2, capacity - 1)',
    replace: 'capacityOfOne: Math.max(1, capacity - reservedConnections)',
    tests: ['test/store/pg.test.ts'],
    undoes: '374b1f1',
  },
  {
    name: "another partner's item can be ordered by its QID",
    file: 'src/store/tables/items.ts',
    find: 'where scope_id = ${scopeId} and ${isAmong(join(some))}',
    replace: 'where ${isAmong(join(some))}',
    tests: ['test/engine/fulfillments.test.ts', 'test/engine/transfers.test.ts'],
    isSimulated: true,
  },
  {
    name: 'manifests that are due are looked for without an index',
    file: 'src/store/migrations/0001-foundation.ts',
    find: 'create index manifests_due on manifests (scope_id, expected_arrival_end, id)',
    replace: 'create index manifests_due on manifests (scope_id, id)',
    tests: ['test/store/line-plans.test.ts'],
  },
  {
    name: 'a commit waits for no disk',
    file: 'src/store/sqlite/sqlite-file.ts',
    find: 'pragma synchronous = full;',
    replace: 'pragma synchronous = normal;',
    tests: ['test/store/sqlite.test.ts'],
  },
  {
    name: 'a delivery that is queued again has the attempts of before',
    file: 'src/store/tables/webhooks/deliveries.ts',
    find: "status = 'pending', earlier_attempts = attempts, next_attempt_at",
    replace: "status = 'pending', next_attempt_at",
    tests: ['test/service/webhooks-schedule.test.ts'],
  },
  {
    name: 'a lane that failed is never left',
    file: 'src/store/postgres/lanes.ts',
    find: `      return await task()
    } finally {
      leave()
`,
    replace: `      const result = await task()
      leave()
      return result
    } finally {
`,
    tests: ['test/store/lanes.test.ts'],
  },
  {
    name: 'two processes migrate the same database',
    file: 'src/store/migrate.ts',
    find: `  if (claimed === 0) return false
`,
    replace: '',
    tests: ['test/store/pg-migrate.test.ts', 'test/store/migrations.test.ts'],
  },
  {
    name: 'a backup may be read by everybody',
    file: 'src/store/maintenance/backup.ts',
    find: `  makePrivate(draft, true)
`,
    replace: '',
    tests: ['test/store/backup.test.ts'],
  },
  {
    name: 'a page that the disk did not give counts as damaged',
    file: 'src/store/sqlite/sqlite-fault.ts',
    find: 'return secondLook(file, task, readOnly)',
    replace: 'throw toStoreError(file, error)',
    tests: ['test/store/sqlite-setbacks.test.ts', 'test/service/disk-faults.test.ts'],
    undoes: 'dc9de55',
    isSimulated: true,
  },
  {
    name: 'a key is forgotten by the clock alone',
    file: 'src/store/tables/idempotency.ts',
    find: 'created_at >= notBefore || writes_since < keptWrites',
    replace: 'created_at >= notBefore',
    tests: ['test/service/forgetting.test.ts'],
    undoes: '7795356',
    isSimulated: true,
  },
  {
    name: 'what is stored while old results are forgotten goes with them',
    file: 'src/service/jobs/retention.ts',
    find: '      await holdScope(tx, scope.id)\n',
    replace: '',
    tests: ['test/service/forgetting.test.ts'],
  },
  {
    name: 'a rate limit that processes share goes by the clock of each',
    file: 'src/service/limits/limiter.ts',
    find: 'number | null = () => null',
    replace: 'number | null = (ms) => ms',
    tests: ['test/service/limiter-postgres.test.ts'],
  },
  {
    name: 'what reads several things reads each at a moment of its own',
    file: 'src/store/sqlite/sqlite.ts',
    find: 'return within(reading(), fn, busyMs, isThreaded)',
    replace: 'return alone(reading(), fn)',
    tests: ['test/store/sqlite.test.ts'],
    isSimulated: true,
  },
  {
    name: 'a mirror written by another run is written again',
    file: 'src/store/mirror.ts',
    find: '        if (state().events !== last.events)',
    replace: '        if (state().events < last.events)',
    tests: ['test/store/mirror.test.ts'],
  },
  {
    name: 'a page of a mirror that fails is kept',
    file: 'src/store/mirror.ts',
    find: "    db.exec('rollback')",
    replace: "    db.exec('commit')",
    tests: ['test/store/mirror.test.ts'],
    isSimulated: true,
  },
  {
    name: 'a mirror takes the first of several queries',
    file: 'src/store/mirror.ts',
    find: "replace(/[\\s;]/g, '') !== ''",
    replace: "replace(/[\\s;]/g, '') === 'x'",
    tests: ['test/store/mirror.test.ts'],
  },
]
