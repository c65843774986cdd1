// Loaded before the program: makes its standard streams look like a terminal of COLUMNS characters.
const fs = require('node:fs')
const tty = require('node:tty')

const real = fs.fstatSync
fs.fstatSync = (fd, ...rest) => (fd > 2 ? real(fd, ...rest) : { isCharacterDevice: () => true, rdev: -1 })
tty.isatty = () => true
for (const stream of ['stdout', 'stderr']) {
  Object.defineProperty(process[stream], 'columns', { value: Number(process.env.COLUMNS ?? 80) })
  Object.assign(process[stream], { isTTY: true, cursorTo() {}, clearLine() {}, moveCursor() {} })
}
