// npm run test:coverage: which branches of the rules and of the engine no test comes by. Fails where there is one that does not
// say why it may be so.
import { installTools, root, run } from './tools.ts'

installTools()
run(root, {}, 'vitest', 'run', '--config', 'test/mutation/coverage.config.mjs', '--reporter=dot')
