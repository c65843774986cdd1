import type { Fault } from './fault.ts'

export const serviceFaults: readonly Fault[] = [
  {
    name: 'a retry that writes an identifier in capitals is done again',
    file: 'src/service/pipeline/idempotency.ts',
    find: '[name, value.toLowerCase()]',
    replace: '[name, value]',
    tests: ['test/service/idempotency.test.ts'],
  },
  {
    name: 'a conflict is not stored under its key',
    file: 'src/service/pipeline/write-transaction.ts',
    find: "if (!(thrown instanceof Rejection) || thrown.code !== 'state_conflict') return undefined",
    replace: "if (!(thrown instanceof Rejection) || thrown.code === 'state_conflict') return undefined",
    tests: ['test/conformance/conformance.test.ts'],
    isSimulated: true,
  },
  {
    name: 'room that is given back twice is room for two',
    file: 'src/service/limits/work-limits.ts',
    find: '        left = 0\n',
    replace: '',
    tests: ['test/service/work-limits.test.ts'],
  },
  {
    name: 'a request that fails keeps its place among those in progress',
    file: 'src/service/service.ts',
    find: `    return { ...reply, sent: keep(key, 'answerBytes', bytes) }
  } finally {
    for (const end of ends) end()
  }`,
    replace: `    for (const end of ends) end()
    return { ...reply, sent: keep(key, 'answerBytes', bytes) }
  } finally {
  }`,
    tests: ['test/service/work-limits.test.ts', 'test/service/http-excess.test.ts'],
  },
  {
    name: 'a name with one public address may lead to a private one',
    file: 'src/service/webhooks/connections.ts',
    find: 'if (!addresses.every(rule)) throw notAllowed()',
    replace: 'if (!addresses.some(rule)) throw notAllowed()',
    tests: ['test/service/webhooks-connection.test.ts'],
  },
  {
    name: "an entity tag is the same for two partners' lists",
    file: 'src/service/representation.ts',
    find: 'const scope = [partner_id, environment, version, release, schemaVersion]',
    replace: 'const scope = [environment, version, release, schemaVersion]',
    tests: ['test/service/http-etag.test.ts'],
  },
  {
    name: 'a receiver that has failed gets the rest of the batch at once',
    file: 'src/service/webhooks/delivery-batches.ts',
    find: '  if (!isSuccess(ended.result)) batch.isOver = true\n',
    replace: '',
    tests: ['test/service/webhooks-batches.test.ts'],
  },
  {
    name: 'a full last page has a next one',
    file: 'src/service/pipeline/read.ts',
    find: 'Math.ceil(listing.total / paging.page_size)',
    replace: 'Math.floor(listing.total / paging.page_size) + 1',
    tests: ['test/engine/products.test.ts'],
  },
  {
    name: 'a text of a form need not be UTF-8',
    file: 'src/service/http/http-form.ts',
    find: `  if (!isUtf8(bytes)) throw invalid({ [fieldname]: ['is not UTF-8'] })
`,
    replace: '',
    tests: ['test/service/http-bodies.test.ts'],
    undoes: '31cb68d',
  },
  {
    name: "a webhook is signed at the sandbox's time",
    file: 'src/service/webhooks/delivery-worker.ts',
    find: 'attempt.payload, clock()),',
    replace: 'attempt.payload, Date.parse(attempt.startedAt)),',
    tests: ['test/service/webhooks-schedule.test.ts'],
  },
  {
    name: 'a key that expires now is good',
    file: 'src/service/pipeline/authenticate.ts',
    find: 'key.expires_at > now',
    replace: 'key.expires_at >= now',
    tests: ['test/service/authentication.test.ts'],
  },
  {
    name: 'a slow receiver has its places back at once',
    file: 'src/service/webhooks/concurrency-limiter.ts',
    find: `          if (hasEnded) mine.wasSlow = isLate
`,
    replace: '',
    tests: ['test/service/webhooks-limiter.test.ts'],
  },
  {
    name: 'the rows of another body go on behind those of the first',
    file: 'src/service/pipeline/steps.ts',
    find: 'if (begun && begun.fingerprint !== slot.fingerprint)',
    replace: 'if (begun && begun.fingerprint === "")',
    tests: ['test/service/write-steps.test.ts'],
  },
  {
    name: 'a process that stops keeps its leases',
    file: 'src/service/jobs/scheduler.ts',
    find: 'resign: () => db.write((tx) => dropLeases(tx, owner)),',
    replace: 'resign: () => db.read((tx) => dropLeases(tx, "")),',
    tests: ['test/service/leader.test.ts'],
  },
  {
    name: 'a receiver that has recovered is leased for as if it were failing',
    file: 'src/service/webhooks/delivery-loop.ts',
    find: 'new Set([...busyBefore, ...busySubscriptions(loop)])',
    replace: 'new Set(busySubscriptions(loop))',
    tests: ['test/service/webhooks-recovery.test.ts'],
    undoes: '365d27d',
  },
  {
    name: 'what was lost a moment ago is taken back from the worker that has it',
    file: 'src/service/webhooks/delivery-leasing.ts',
    find: '  if (pausedSubscriptions(leasing).includes(subscriptionId)) throw takenBetween\n',
    replace: '',
    tests: ['test/service/webhooks-lost-leases.test.ts'],
    undoes: '48abd61',
  },
]
