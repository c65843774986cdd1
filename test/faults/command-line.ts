import type { Fault } from './fault.ts'

export const commandLineFaults: readonly Fault[] = [
  {
    name: 'the cursor passes an event before it is printed',
    file: 'src/cli/events/in-hand.ts',
    find: `      entry.isDone = await work(logged)
      if (entry.isDone) advance()
      else isOver = true`,
    replace: `      entry.isDone = true
      advance()
      isOver ||= !(await work(logged))`,
    tests: ['test/cli/events/in-hand.test.ts'],
  },
  {
    name: 'a line behind half a line of the journal is lost',
    file: 'src/cli/imports/journal/journal.ts',
    find: '`\\n${JSON.stringify(line)}\\n`',
    replace: '`${JSON.stringify(line)}\\n`',
    tests: ['test/cli/imports/journal.test.ts'],
  },
  {
    name: 'every chunk of an import has the same key',
    file: 'src/cli/imports/import-key.ts',
    find: '`${key}-${chunk}`',
    replace: '`${key}-${chunks}`',
    tests: ['test/cli/imports/import-key.test.ts'],
  },
  {
    name: 'a file is in its place before it is on the disk',
    file: 'src/cli/base/durable-file.ts',
    find: '      writeFileSync(descriptor, data)\n      fsyncSync(descriptor)\n',
    replace: '      writeFileSync(descriptor, data)\n',
    tests: ['test/cli/base/durable-file.test.ts'],
  },
  {
    name: 'a number beyond the largest is sent as null',
    file: 'src/cli/command-line/body-flags.ts',
    find: 'if (!Number.isFinite(value))',
    replace: 'if (Number.isNaN(value))',
    tests: ['test/cli/usage.test.ts'],
    undoes: '38e4fbf',
  },
]
