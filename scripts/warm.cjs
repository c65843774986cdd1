// Run by the build as the program with a command's arguments: when it ends, keeps the code that V8 has compiled of what it loaded.
// Without arguments it does so for all parts that no command has loaded.
const { existsSync, readdirSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { setFlagsFromString } = require('node:v8')
const vm = require('node:vm')
const { compiledCodeFile, dist, load } = require('../bin/custody.js')

// The build fixes the seed of hashes; V8 takes compiled code only under the flags that it was made under: those that all have.
setFlagsFromString('--hash-seed=0')

const isCommand = process.argv.length > 2

vm.Script = class extends vm.Script {
  constructor(text, options) {
    super(text, options)
    const codeFile = compiledCodeFile(readFileSync(options.filename, 'latin1'))
    // What the other parts use of the program is not what a command does every time.
    if (!isCommand && existsSync(codeFile)) return
    process.on('exit', () => writeFileSync(codeFile, this.createCachedData()))
  }
}

process.setMaxListeners(0)
if (isCommand) load(join(dist, 'custody.cjs'))
else for (const name of readdirSync(join(dist, 'parts'))) load(join(dist, 'parts', name))
