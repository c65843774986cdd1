// Loaded before the program: a clock that stands at PICTURE_TIME, random bytes from PICTURE_SEED, and standard output that is a terminal of COLUMNS characters. The same command then prints the same bytes.
const crypto = require('node:crypto')
const fs = require('node:fs')
const tty = require('node:tty')

Date.now = () => Number(process.env.PICTURE_TIME)
process.uptime = () => 0.01

let drawn = 0
crypto.randomBytes = (size) => {
  const key = crypto.createHash('sha256').update(`${process.env.PICTURE_SEED} ${drawn++}`).digest()
  return Buffer.from(crypto.createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size)))
}
Math.random = () => 0.5

const fstat = fs.fstatSync
fs.fstatSync = (fd, ...rest) =>
  fd === 1 ? { isCharacterDevice: () => true, isFile: () => false, rdev: -1 } : fstat(fd, ...rest)
tty.isatty = (fd) => fd === 1
Object.defineProperty(process.stdout, 'columns', { value: Number(process.env.COLUMNS) })
process.stdout.isTTY = true
