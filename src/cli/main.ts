import { BrokenPipe, type Io, leaveStdin, processIo } from './base/io.ts'

const io = processIo()
// Node.js resets what nohup has set. Without a terminal, a hang-up is no reason to stop.
if (![io.stdin, io.out, io.err].some(({ isTerminal }) => isTerminal)) process.on('SIGHUP', () => {})
void run(process.argv.slice(2), io).then((code) => {
  process.exitCode = code
  leaveStdin()
})

/** Prints the version without loading the program, which takes longer than everything else. */
async function run(args: readonly string[], io: Io): Promise<number> {
  if (args.length === 1 && /^(-V|--version)$/.test(args[0] ?? '')) return tellVersion(io)
  const { runCli } = await import('./program/program.ts')
  return runCli(args, io)
}

async function tellVersion(io: Io): Promise<number> {
  try {
    io.out.write(`${CUSTODY_VERSION}\n`)
  } catch (error) {
    if (!(error instanceof BrokenPipe)) {
      const { endWithError } = await import('./program/end-with-error.ts')
      return endWithError(error, [], [], { io })
    }
  }
  return 0
}
