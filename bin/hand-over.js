'use strict'
const { spawn } = require('child_process')
const path = require('path')
const { isatty } = require('tty')

/** Runs `program` again under the pinned Node.js as if it had been started there: arguments, streams, signals, outcome. */
function handOver(program) {
  const runtime = pinnedRuntime()
  if (runtime === undefined) return complain()
  const child = spawn(runtime, [program].concat(process.argv.slice(2)), { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => passDown(child, signal))
  child.on('error', complain)
  child.on('exit', passUp)
}

/** The Node.js that is installed as the package `node`; undefined when there is none, or none that is new enough. */
function pinnedRuntime() {
  try {
    const manifest = require.resolve('node/package.json')
    if (parseInt(require(manifest).version, 10) < 24) return undefined
    return path.join(path.dirname(manifest), 'bin', 'node')
  } catch {
    return undefined
  }
}

function complain() {
  const found = process.versions.node
  console.error(
    `custody: needs Node.js 24 or newer, this is ${found}; install it, or in a checkout run: npm ci`,
  )
  process.exitCode = 1
}

/** A terminal's Ctrl-C reaches the child by itself; a second one would look like an operator who insists. */
function passDown(child, signal) {
  if (signal === 'SIGINT' && [0, 1, 2].some(isatty)) return
  child.kill(signal)
}

function passUp(code, signal) {
  if (signal === null) {
    process.exitCode = code
    return
  }
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

module.exports = { handOver, pinnedRuntime }
