export { MutantRunner as default } from './mutant-runner.ts'
