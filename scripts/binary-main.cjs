// Starts the single-file executable (scripts/binary.mjs) as the launcher starts the program, with the files of dist/ as assets.
const { normalize } = require('node:path')
const { getRawAsset } = require('node:sea')
const { codeName, compile, execute, loaded } = require('../bin/custody.js')

load('custody.cjs')

function load(file) {
  if (!loaded.has(file)) {
    const source = asset(file).toString('latin1')
    execute(compile(file, source, asset(`cache/${codeName(source)}`)), file, load)
  }
  return loaded.get(file).exports
}

function asset(name) {
  return Buffer.from(getRawAsset(normalize(name)))
}
