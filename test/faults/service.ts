import type { Fault } from './fault.ts'

export const serviceFaults: readonly Fault[] = [
  {
    name: 'a retry that writes an identifier in capitals is done again',
    file: 'src/service/pipeline/write-transaction.ts',
    find: '[name, value.toLowerCase()]',
    replace: '[name, value]',
    tests: ['test/service/idempotency.test.ts'],
  },
  {
    name: 'a conflict is not stored under its key',
    file: 'src/service/pipeline/write-transaction.ts',
    find: "if (!slot || !(thrown instanceof Refusal) || thrown.code !== 'state_conflict') throw thrown",
    replace: "if (!slot || !(thrown instanceof Refusal) || thrown.code === 'state_conflict') throw thrown",
    tests: ['test/service/idempotency.test.ts'],
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
    file: 'src/service/limits/within-limits.ts',
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
    file: 'src/service/webhooks/connection-guard.ts',
    find: 'if (!addresses.every(rule)) throw notAllowed()',
    replace: 'if (!addresses.some(rule)) throw notAllowed()',
    tests: ['test/service/webhooks-connection.test.ts'],
  },
  {
    name: "an entity tag is the same for two partners' lists",
    file: 'src/service/representation/etag.ts',
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
]
