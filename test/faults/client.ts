import type { Fault } from './fault.ts'

export const clientFaults: readonly Fault[] = [
  {
    name: 'a try that got no answer is tried again without its key',
    file: 'src/client/retrying.ts',
    find: 'return { reply: await callWithin(transport, call, limit) }',
    replace:
      'return { reply: await callWithin(transport, { ...call, headers: { ...call.headers, "idempotency-key": String(limit.ms) } }, limit) }',
    tests: ['test/client/retrying.test.ts'],
    isSimulated: true,
  },
  {
    name: 'a manifest that changes between its pages is taken as it came',
    file: 'src/client/whole-manifest.ts',
    find: 'isSteady = stateOf(page) === stateOf(whole) || attempt === attemptsMax',
    replace: 'isSteady = true',
    tests: ['test/client/whole-manifest.test.ts'],
  },
  {
    name: 'what was deleted by a try whose answer was lost is not found',
    file: 'src/client/retrying.ts',
    find: 'if (isDelete && wasBroken && reply.status === 404 && isErrorText(reply.body))',
    replace: 'if (isDelete && isInDoubt && reply.status === 410)',
    tests: ['test/client/retrying.test.ts'],
  },
  {
    name: 'of a service that was not heard from nobody says that it may have done it',
    file: 'src/client/retrying.ts',
    find: 'const unsettled = new Set([502, 504])',
    replace: 'const unsettled = new Set([502])',
    tests: ['test/client/retrying.test.ts'],
  },
]
