'use strict'
// Loaded before the program (NODE_OPTIONS=--require): faults of a disk or a container. CUSTODY_TEST_MACHINE is JSON: { call,
// path, at, how } - from the call numbered `at` on, the fs function of that name (for openSync also its flags) fails for such a
// path with the code `how`, or sends the process a signal; { statement } - SIGKILL after the
// SQLite statement with this number; { pid } - its number; { homeless } - no home; { fullDisk } - the log
// of a new database is not copied into its file.
const fs = require('node:fs')
const os = require('node:os')

const {
  call = '',
  path = '',
  at = 1,
  how,
  pid,
  homeless,
  fullDisk,
  statement,
} = JSON.parse(process.env.CUSTODY_TEST_MACHINE ?? '{}')
const ownPid = process.pid
const changing = /^(open|write|writeFile|appendFile|fsync|fdatasync|ftruncate|rename|mkdir|rm|link)Sync/
const names = new Map()
let calls = 0

for (const name of how === undefined ? [] : Object.keys(fs).filter((key) => changing.test(key))) {
  const real = fs[name]
  fs[name] = (...args) => {
    const place = typeof args[0] === 'number' ? names.get(args[0]) : String(args[0])
    const what = name === 'openSync' ? `${name} ${args[1]}` : name
    if (what.startsWith(call) && !what.endsWith(' r') && place?.includes(path) && ++calls >= at)
      fail(name, place)
    const answer = real(...args)
    if (name === 'openSync') names.set(answer, place)
    return answer
  }
}

function fail(name, place) {
  if (how.startsWith('SIG')) return process.kill(ownPid, how)
  throw Object.assign(new Error(`${how}: ${name} ${place}`), { code: how, syscall: 'write', path: place })
}

if (statement !== undefined) {
  const { DatabaseSync, StatementSync } = require('node:sqlite')
  let left = statement
  const dying = (real) =>
    function dieAfter(...args) {
      const answer = Reflect.apply(real, this, args)
      if (--left === 0) process.kill(ownPid, 'SIGKILL')
      return answer
    }
  DatabaseSync.prototype.exec = dying(DatabaseSync.prototype.exec)
  for (const name of ['run', 'get', 'all', 'iterate'])
    StatementSync.prototype[name] = dying(StatementSync.prototype[name])
}
if (pid !== undefined) Object.defineProperty(process, 'pid', { value: pid })
if (homeless) {
  os.homedir = () => {
    throw new Error('A system error occurred: uv_os_homedir returned ENOENT')
  }
}
if (fullDisk) {
  const { DatabaseSync } = require('node:sqlite')
  const { close } = DatabaseSync.prototype
  const readers = []
  DatabaseSync.prototype.close = function closeBesideReader() {
    const file = this.location()
    const reader = file?.endsWith('.tmp') && new DatabaseSync(file)
    if (reader) {
      reader.exec('begin')
      reader.prepare('select * from sqlite_master').all()
      readers.push(reader)
    }
    close.call(this)
  }
}
