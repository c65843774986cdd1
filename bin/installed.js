'use strict'
// Run by npm once it is installed: under an older Node.js, without one of its own, no command would ever run.
const { pinnedRuntime } = require('./hand-over.js')

if (parseInt(process.versions.node, 10) < 24 && pinnedRuntime() === undefined) {
  console.error(
    `custody: needs Node.js 24 or newer, this is ${process.versions.node}; install that first, or take the single file that brings its own (README, Installing).`,
  )
  process.exitCode = 1
}
