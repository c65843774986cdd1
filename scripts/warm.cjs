// The build runs this as the program, with a command's arguments: at exit it saves V8's compiled code of each file that the
// command loaded. Without arguments, it saves the code of all parts that no command has loaded.
const { existsSync, readdirSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { setFlagsFromString } = require('node:v8')
const vm = require('node:vm')
const { compiledCodeFile, dist, load } = require('../bin/custody.js')

// The build fixes the hash seed; V8 accepts compiled code only under the flags it was compiled with, so the default is restored.
setFlagsFromString('--hash-seed=0')

const isCommand = process.argv.length > 2

vm.Script = class extends vm.Script {
  constructor(text, options) {
    super(text, options)
    const codeFile = compiledCodeFile(readFileSync(options.filename, 'latin1'))
    // Keeps a command's code: loading all parts compiles other functions of the program.
    if (!isCommand && existsSync(codeFile)) return
    process.on('exit', () => writeFileSync(codeFile, this.createCachedData()))
  }
}

process.setMaxListeners(0)
if (isCommand) load(join(dist, 'custody.cjs'))
else for (const name of readdirSync(join(dist, 'parts'))) load(join(dist, 'parts', name))
