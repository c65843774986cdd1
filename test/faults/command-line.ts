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
    isSimulated: true,
  },
  {
    name: 'the same file again has another key',
    file: 'src/cli/imports/import-key.ts',
    find: '${again ? newUuid() : fingerprint}',
    replace: '${again ? fingerprint : newUuid()}',
    tests: ['test/cli/imports/import-key.test.ts'],
    isSimulated: true,
  },
  {
    name: 'a row that was ordered before is ordered again',
    file: 'src/cli/imports/send-chunk.ts',
    find: '!isSame(row) && !isChanged.has(row)',
    replace: '!isChanged.has(row)',
    tests: ['test/acceptance/orders-again.test.ts'],
    isSimulated: true,
  },
  {
    name: 'an import goes on behind a chunk that was not answered',
    file: 'src/cli/imports/import-beginning.ts',
    find: '    from: known,\n',
    replace: '    from: known + 1,\n',
    tests: ['test/acceptance/imports.test.ts'],
    isSimulated: true,
  },
  {
    name: 'a write that is interrupted is not told to be perhaps done',
    file: 'src/cli/connection/unknown-outcome.ts',
    find: 'throw interrupted(advice)',
    replace: 'throw interrupted(undefined)',
    tests: ['test/cli/in-doubt.test.ts'],
    isSimulated: true,
  },
  {
    name: 'a command does not use the key that it is given',
    file: 'src/cli/commands/transfers/request.ts',
    find: '{ body, idempotencyKey }',
    replace: '{ body }',
    tests: ['test/cli/gateway.test.ts'],
  },
  {
    name: 'the key that is named for repeating is not the one that was sent',
    file: 'src/cli/connection/unknown-outcome.ts',
    find: "headers['idempotency-key']",
    replace: "headers['Idempotency-Key']",
    tests: ['test/cli/in-doubt.test.ts'],
    isSimulated: true,
  },
  {
    name: 'a file is in its place before it is on the disk',
    file: 'src/cli/base/durable-file.ts',
    find: '      writeFileSync(descriptor, data)\n      fsyncSync(descriptor)\n',
    replace: '      writeFileSync(descriptor, data)\n',
    tests: ['test/cli/base/durable-file.test.ts'],
    isSimulated: true,
  },
  {
    name: 'a file has its name before its folder is on the disk',
    file: 'src/cli/base/durable-file.ts',
    find: '  renameSync(from, to)\n  syncFolder(dirname(to))\n',
    replace: '  renameSync(from, to)\n',
    tests: ['test/cli/base/durable-file.test.ts'],
    isSimulated: true,
  },
  {
    name: 'a line of the journal is not on the disk when the next chunk is sent',
    file: 'src/cli/base/durable-file.ts',
    find: '    fdatasyncSync(descriptor)\n',
    replace: '',
    tests: ['test/cli/base/durable-file.test.ts'],
  },
  {
    name: 'a cursor is written over and not synced',
    file: 'src/cli/events/cursor-file.ts',
    find: '    if (open !== undefined) fdatasyncSync(open.descriptor)\n',
    replace: '',
    tests: ['test/cli/events/cursor-file.test.ts'],
    isSimulated: true,
  },
  {
    name: 'failed rows are told of before they are on the disk',
    file: 'src/cli/imports/errors-file.ts',
    find: '    fsyncSync(descriptor)\n',
    replace: '',
    tests: ['test/cli/imports/errors-file.test.ts'],
    isSimulated: true,
  },
  {
    name: 'a number beyond the largest is sent as null',
    file: 'src/cli/command-line/body-flags.ts',
    find: 'if (!Number.isFinite(value))',
    replace: 'if (Number.isNaN(value))',
    tests: ['test/cli/usage.test.ts'],
    undoes: '38e4fbf',
  },
  {
    name: 'a cell of the errors file is a formula to a spreadsheet',
    file: 'src/cli/imports/errors-file.ts',
    find: 'csvText(cells, { separator, isGuarded: true })',
    replace: 'csvText(cells, { separator })',
    tests: ['test/cli/imports/errors-file.test.ts'],
    undoes: '7536213',
  },
  {
    name: 'a chunk that the journal skips counts as done',
    file: 'src/cli/imports/journal/journal.ts',
    find: 'if (line?.chunk === chunks.length + 1)',
    replace: 'if (line?.chunk !== undefined)',
    tests: ['test/cli/imports/journal.test.ts'],
  },
  {
    name: 'the cursor is on the disk before what was printed',
    file: 'src/cli/events/cursor-file.ts',
    find: `    output?.sync()
`,
    replace: '',
    tests: ['test/cli/events/cursor-file.test.ts'],
  },
  {
    name: 'half a character at the end of a file is completed by the rest of it',
    file: 'src/cli/events/half-line.ts',
    find: 'return isWithinCharacter ? undefined : rest.toString()',
    replace: 'return rest.toString()',
    tests: ['test/cli/events/half-line.test.ts'],
  },
  {
    name: 'an import goes on behind failed rows that it has not written',
    file: 'src/cli/imports/import-run.ts',
    find: `      errors.write(result.failed)
      addUp(totals, result)
      const at = result.isReplay ? undefined : new Date(session.io.now()).toISOString()
      const line = { chunk: index + 1, ...countsOf(result), errors_bytes: errors.bytes() }
`,
    replace: `      const line = { chunk: index + 1, ...countsOf(result), errors_bytes: errors.bytes() }
      errors.write(result.failed)
      addUp(totals, result)
      const at = result.isReplay ? undefined : new Date(session.io.now()).toISOString()
`,
    tests: ['test/acceptance/imports.test.ts'],
  },
  {
    name: 'two files of orders are sent at once',
    file: 'src/cli/imports/import-run.ts',
    find: 'if (ready.kind.isOrder) unlockOrders',
    replace: 'if (!ready.kind.isOrder) unlockOrders',
    tests: ['test/acceptance/orders-at-once.test.ts'],
  },
  {
    name: 'what another machine sends just now is ordered beside it',
    file: 'src/cli/imports/known-rows.ts',
    find: 'if (!own_key || isAllKnown) continue',
    replace: 'if (own_key || isAllKnown) continue',
    tests: ['test/acceptance/orders-at-once.test.ts'],
  },
  {
    name: 'a lost answer of a clock that was ahead is asked for when its time has come',
    file: 'src/cli/imports/earlier/unanswered-orders.ts',
    find: 'if (isAhead(at, now)) undate(path, pending)',
    replace: '',
    tests: ['test/acceptance/orders-unanswered.test.ts'],
  },
]
