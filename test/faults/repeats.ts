import type { Fault } from './fault.ts'

const repeats = 'test/engine/repeats.test.ts'

/** One for each case in the table of cases that once shipped an order twice or lost it (ruling 13). */
export const repeatFaults: readonly Fault[] = [
  {
    name: 'repeats: of two equal rows the first is ordered',
    file: 'src/engine/fulfillments/fulfillment-csv.ts',
    find: '    if (group.length === 1) continue\n',
    replace: '    if (group.length < 3) continue\n',
    tests: [repeats],
  },
  {
    name: 'repeats: an order that lost a line is taken for the earlier one',
    file: 'src/domain/fulfillments/order-identity.ts',
    find: '  if (items.length > 0) {\n',
    replace: '  if (wanted.length > 1 && items.length > 0) {\n',
    tests: [repeats],
    isSimulated: true,
  },
  {
    name: 'repeats: an order of a corrected row is not kept',
    file: 'src/engine/fulfillments/shipping.ts',
    find: '    opened.map(({ identity, record }) => ({ identity, fulfillment_id: record.fulfillment.id })),\n',
    replace: '    [],\n',
    tests: [repeats],
    isSimulated: true,
  },
  {
    name: 'repeats: a cancelled order counts as ordered',
    file: 'src/domain/fulfillments/order-identity.ts',
    find: 'earlier.filter((each) => !isGone(each))',
    replace: 'earlier',
    tests: [repeats],
  },
  {
    name: 'repeats: of an order in several parcels the oldest alone counts',
    file: 'src/domain/fulfillments/order-identity.ts',
    find: 'order.isWhole ? live : [newest]',
    replace: '[newest]',
    tests: ['test/engine/order-lines.test.ts'],
  },
  {
    name: 'repeats: a row known by its content alone is said to be known by its reference',
    file: 'src/domain/fulfillments/order-identity.ts',
    find: "order.draft.external_ref === null ? 'content' : 'reference'",
    replace: "order.isWhole ? 'content' : 'reference'",
    tests: [repeats],
  },
  {
    name: "repeats: another reference is advised for a manifest's rows each time",
    file: 'src/cli/manifests/manifest-submission.ts',
    find: 'quoted(`${reference}-2`)',
    replace: 'quoted(`${reference}-2${Math.trunc(performance.now())}`)',
    tests: ['test/acceptance/repeats.test.ts'],
    isSimulated: true,
  },
  {
    name: 'repeats: the header is not read',
    file: 'src/service/parsing/parse.ts',
    find: "operation.repeats ? repeatsOf(call) : 'allow'",
    replace: "operation.form ? 'allow' : repeatsOf(call)",
    tests: [repeats],
    isSimulated: true,
  },
  {
    name: 'repeats: of two orders under one reference the newest alone counts',
    file: 'src/engine/repeats.ts',
    find: "first?.kind === 'repeated' || !(order.isWhole || found.some(({ hasOlder }) => hasOlder))",
    replace: '!order.isWhole',
    tests: [repeats],
  },
  {
    name: 'repeats: rows of one reference are one order, whatever they ask for',
    file: 'src/domain/fulfillments/order-identity.ts',
    find: 'JSON.stringify([kind, external_ref, item])',
    replace: 'JSON.stringify([kind, external_ref])',
    tests: [repeats],
  },
  {
    name: 'repeats: rows that were ordered before are reported as ordered now',
    file: 'src/engine/fulfillments/fulfillment-csv.ts',
    find: '    part.repeated.push(json(found.repeated))\n',
    replace: '    part.created.push(json(found.repeated))\n',
    tests: [repeats],
  },
  {
    name: 'repeats: a row is known by its place in the file too',
    file: 'src/engine/fulfillments/fulfillment-csv.ts',
    find: '    const { identity } = order\n',
    replace: '    const identity = `${row.row} ${order.identity}`\n',
    tests: [repeats],
  },
  {
    name: 'repeats: a manifest that was closed is submitted again',
    file: 'src/store/tables/manifests.ts',
    find: '    order by case when content',
    replace: "    and status <> 'reconciled' order by case when content",
    tests: [repeats],
  },
  {
    name: 'repeats: a delivery that is named again is received again',
    file: 'src/engine/intake/arrival-files.ts',
    find: '    if (!file) return undefined\n    const isSame',
    replace: '    if (file?.content !== content) return undefined\n    const isSame',
    tests: ['test/engine/arrival-files.test.ts'],
  },
]
