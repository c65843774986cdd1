import { processIo } from './io.ts'
import { runCli } from './program.ts'

void runCli(process.argv.slice(2), processIo()).then((code) => {
  process.exitCode = code
})
