// npm run test:coverage: branches of the rules and the engine that no test reaches. Fails if one of them does not say why:
// `/* v8 ignore if -- @preserve WHY */`.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installTools, root, run } from './tools.ts'

const withoutReason = /v8 ignore(?! (?:if|else|next) -- @preserve .{40})/

for (const file of globSync('src/{domain,engine}/**/*.ts', { cwd: root })) {
  if (withoutReason.test(readFileSync(join(root, file), 'utf8')))
    throw new Error(`${file} excuses a line and does not say why`)
}
installTools()
run(root, {}, 'vitest', 'run', '--config', 'test/mutation/coverage.config.mjs', '--reporter=dot')
