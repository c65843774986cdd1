import { clientFaults } from './client.ts'
import { commandLineFaults } from './command-line.ts'
import { contractFaults } from './contract.ts'
import { domainFaults } from './domain.ts'
import { engineFaults } from './engine.ts'
import type { Fault } from './fault.ts'
import { repeatFaults } from './repeats.ts'
import { serviceFaults } from './service.ts'
import { storeFaults } from './store.ts'
import { tradeFaults } from './trade.ts'

/** Every planted fault; `npm run test:faults` tries them all. */
export const faults: readonly Fault[] = [
  ...contractFaults,
  ...domainFaults,
  ...storeFaults,
  ...engineFaults,
  ...repeatFaults,
  ...serviceFaults,
  ...clientFaults,
  ...commandLineFaults,
  ...tradeFaults,
]
