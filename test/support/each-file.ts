import { configureGlobal } from 'fast-check'
import { beginFile } from './current-file.ts'
import { seed } from './soak.ts'

// Test files run one after the other in the same process: vitest runs this before each of them.
beginFile()

configureGlobal({ seed })
