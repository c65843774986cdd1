// Loaded before the program: makes its standard streams, or those in CUSTODY_TEST_TERMINALS, look like a terminal of COLUMNS
// characters.
const fs = require('node:fs')
const tty = require('node:tty')

const { CUSTODY_TEST_TERMINALS = '0,1,2' } = process.env
const terminals = CUSTODY_TEST_TERMINALS.split(',').map(Number)
const real = fs.fstatSync
const isTerminal = (fd) => terminals.includes(fd)
fs.fstatSync = (fd, ...rest) =>
  isTerminal(fd) ? { isCharacterDevice: () => true, rdev: -1 } : real(fd, ...rest)
tty.isatty = isTerminal
for (const stream of ['stdout', 'stderr'].filter((_, at) => isTerminal(at + 1))) {
  Object.defineProperty(process[stream], 'columns', {
    value: Number(process.env.COLUMNS ?? 80),
    writable: true,
  })
  const { getColorDepth } = tty.WriteStream.prototype
  Object.assign(process[stream], {
    isTTY: true,
    getColorDepth,
    cursorTo() {},
    clearLine: () => process[stream].write('\u001b[K'),
    moveCursor() {},
  })
}
