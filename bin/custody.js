#!/usr/bin/env node
'use strict'
// CommonJS in the plainest syntax: an older Node.js must get far enough to hand over to a newer one.
const fs = require('fs')
const Module = require('module')
const path = require('path')

const dist = path.join(__dirname, '..', 'dist')

/** Runs the program, which takes its arguments from process.argv and sets the exit code itself. */
function start() {
  if (parseInt(process.versions.node, 10) < 24) return require('./hand-over.js').handOver(__filename)
  const program = path.join(dist, 'custody.cjs')
  if (fs.existsSync(program)) return load(program)
  console.error('custody: this checkout has not been built; run: npm run build')
  process.exitCode = 1
}

/** Loads a file of dist/ as require() does, but with its code as the build has compiled it, in half the time. */
function load(file) {
  const source = fs.readFileSync(file, 'latin1')
  const code = compiledCode(source)
  return code === undefined ? loadElsewhereCompiled(file) : execute(compile(file, source, code), file, load)
}

function compiledCode(source) {
  try {
    return fs.readFileSync(compiledCodeFile(source))
  } catch {
    return undefined
  }
}

/** V8 itself checks the code's version and the source's length; the stamp at the source's head stands for its content. */
function compiledCodeFile(source) {
  return path.join(dist, 'cache', `${source.slice(2, 18)}-${process.versions.v8}-${process.arch}`)
}

function compile(file, source, code) {
  return new (require('vm').Script)(Module.wrap(source), { filename: file, cachedData: code })
}

function execute(script, file, loadVendor) {
  const ordinary = Module.createRequire(file)
  const module = { exports: {} }
  const require = (id) => (id.startsWith('./vendor/') ? loadVendor(path.join(dist, id)) : ordinary(id))
  script.runInThisContext().call(module.exports, module.exports, require, module, file, dist)
  return module.exports
}

/** Under another Node.js than the build's: Node.js's own cache, which fills itself and never fails the program. */
function loadElsewhereCompiled(file) {
  const caches = process.env.XDG_CACHE_HOME || (process.env.HOME && path.join(process.env.HOME, '.cache'))
  if (caches) Module.enableCompileCache(path.join(caches, 'custody'))
  return require(file)
}

module.exports = { compile, compiledCodeFile, dist, execute }
if (require.main === module) start()
