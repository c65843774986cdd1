import { LoadingRunner } from './loading-runner.ts'
import { MutantRunner } from './mutant-runner.ts'
import { plan } from './switch.ts'

export default plan.isLoading ? LoadingRunner : MutantRunner
