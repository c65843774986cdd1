import { beginFile } from './current-file.ts'

// Test files run one after the other in the same process: vitest runs this before each of them.
beginFile()
