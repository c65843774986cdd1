import type { Fault } from './fault.ts'

export const contractFaults: readonly Fault[] = [
  {
    name: "a Retry-After that is a date counts from the receiver's own clock",
    file: 'src/contract/retry-after.ts',
    find: 'const from = Number.isNaN(sentAt) ? now : sentAt',
    replace: 'const from = now',
    tests: ['test/client/retrying.test.ts', 'test/domain/webhook-schedule.test.ts'],
  },
]
