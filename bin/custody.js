#!/usr/bin/env node
'use strict'
// CommonJS in the plainest syntax: an older Node.js must get far enough to hand over to a newer one.
const fs = require('fs')
const path = require('path')

const dist = path.join(__dirname, '..', 'dist')

/** Runs the program, which takes its arguments from process.argv and sets the exit code itself. */
function start() {
  if (parseInt(process.versions.node, 10) < 24) return require('./hand-over.js').handOver(__filename)
  const program = path.join(dist, 'custody.cjs')
  if (fs.existsSync(program)) return run(program)
  console.error('custody: this checkout has not been built; run: npm run build')
  process.exitCode = 1
}

const loaded = new Map()

/** Runs the program as require() does, but with its code as the build has compiled it, in half the time. */
function run(program) {
  const source = fs.readFileSync(program, 'latin1')
  const code = compiledCode(source)
  if (code === undefined) return runElsewhereCompiled(program)
  execute(compile(program, source, code), program, load)
}

/** Answers what a part of the program exports, or a package. */
function load(file) {
  if (!loaded.has(file)) {
    const source = partSource(file)
    execute(compile(file, source, compiledCode(source)), file, load)
  }
  return loaded.get(file).exports
}

/** Throws in words if an upgrade has deleted the program of a command that is running. */
function partSource(file) {
  try {
    return fs.readFileSync(file, 'latin1')
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    const replaced = new Error('The program was replaced or deleted while it ran.')
    replaced.name = 'ProgramReplaced'
    throw replaced
  }
}

function compiledCode(source) {
  try {
    return fs.readFileSync(compiledCodeFile(source))
  } catch {
    return undefined
  }
}

function compiledCodeFile(source) {
  return `${dist}/cache/${codeName(source)}`
}

/** V8 itself checks the code's version and the source's length; the stamp at the source's head stands for its content. */
function codeName(source) {
  return `${source.slice(2, 18)}-${process.versions.v8}-${process.arch}`
}

function compile(file, source, code) {
  return new (require('vm').Script)(
    `(function (exports, require, module, __filename, __dirname) { ${source}\n})`,
    { filename: file, cachedData: code },
  )
}

/** `loadNext` loads the files of dist/ that this one asks for. */
function execute(script, file, loadNext) {
  const folder = path.dirname(file)
  const module = { exports: {} }
  loaded.set(file, module)
  const next = (id) => (id[0] === '.' ? loadNext(folder + id.slice(1)) : require(id))
  script.runInThisContext().call(module.exports, module.exports, next, module, file, folder)
}

/** Under another Node.js than the build's: Node.js's own cache, which fills itself and never fails the program. */
function runElsewhereCompiled(program) {
  const caches = process.env.XDG_CACHE_HOME || (process.env.HOME && path.join(process.env.HOME, '.cache'))
  if (caches) require('module').enableCompileCache(path.join(caches, 'custody'))
  require(program)
}

module.exports = { codeName, compile, compiledCodeFile, dist, execute, load, loaded }
if (require.main === module) start()
