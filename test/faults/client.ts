import type { Fault } from './fault.ts'

export const clientFaults: readonly Fault[] = [
  {
    name: 'a try that got no answer is tried again without its key',
    file: 'src/client/retrying.ts',
    find: 'return { reply: await callWithin(transport, call, limit) }',
    replace:
      'return { reply: await callWithin(transport, { ...call, headers: { ...call.headers, "idempotency-key": String(limit.ms) } }, limit) }',
    tests: ['test/client/retrying.test.ts'],
  },
  {
    name: 'a manifest that changes between its pages is taken as it came',
    file: 'src/client/whole-manifest.ts',
    find: 'isSteady = stateOf(answer.data) === state || attempt === attemptsMax',
    replace: 'isSteady = true',
    tests: ['test/client/whole-manifest.test.ts'],
  },
]
