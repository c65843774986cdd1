// Loaded before the program, so that the same command prints the same bytes: stops the clock at PICTURE_TIME, takes random bytes
// from PICTURE_SEED, and makes standard output a terminal of COLUMNS characters.
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
