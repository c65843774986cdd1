import type { Fault } from './fault.ts'

export const engineFaults: readonly Fault[] = [
  {
    name: 'a subscription is deleted despite a lease of its events',
    file: 'src/engine/webhooks/delivery-attempts.ts',
    find: 'findSubscription(tx, subscriptionId, lockedAgainstDeletion(tx))',
    replace: 'findSubscription(tx, subscriptionId)',
    tests: ['test/engine/delivery-ranges.test.ts'],
  },
  {
    name: 'whoever waits is woken before the write is committed',
    file: 'src/engine/unit-of-work.ts',
    find: '      wakes = work.wakes\n',
    replace: '      if (work.wakes) place.wake?.(scopeId)\n',
    tests: ['test/service/waiting.test.ts', 'test/service/webhooks.test.ts'],
  },
  {
    name: "a transfer's event comes after those of its items",
    file: 'src/engine/fulfillments/transfers.ts',
    find: `  work.emit(\`transfer.\${status}\`, doc)
  const transfer_id = status === 'requested' ? id : null
  for (const record of items) {
    const { item } = await moveItem(work, record, \`transfer_\${status}\`, { facts: { transfer_id } })
    const isHeld = item.status === 'pending_transfer'
    assert(isHeld === (transfer_id !== null), 'an item names the transfer that holds it', item.qid, id)
    await yieldToEventLoop()
  }
`,
    replace: `  const transfer_id = status === 'requested' ? id : null
  for (const record of items) {
    const { item } = await moveItem(work, record, \`transfer_\${status}\`, { facts: { transfer_id } })
    const isHeld = item.status === 'pending_transfer'
    assert(isHeld === (transfer_id !== null), 'an item names the transfer that holds it', item.qid, id)
    await yieldToEventLoop()
  }
  work.emit(\`transfer.\${status}\`, doc)
`,
    tests: ['test/engine/transfers.test.ts'],
    isSimulated: true,
  },
  {
    name: 'what was put back is begun one event too late',
    file: 'src/engine/webhooks/delivery-attempts.ts',
    find: '(next.seq as number) - 1',
    replace: '(next.seq as number)',
    tests: ['test/engine/delivery-ranges.test.ts', 'test/service/webhooks-batches.test.ts'],
    isSimulated: true,
  },
  {
    name: 'the old secret of a webhook signs forever',
    file: 'src/engine/webhooks/delivery-attempts.ts',
    find: "(previous_until ?? '') > now",
    replace: 'previous_until !== null',
    tests: ['test/service/webhooks.test.ts', 'test/engine/subscriptions-deliveries.test.ts'],
  },
  {
    name: 'a rotated key lives for the whole grace, longer than it would have',
    file: 'src/engine/partners.ts',
    find: 'old.expires_at !== null && old.expires_at < after ? old.expires_at : after',
    replace: 'after',
    tests: ['test/engine/keys.test.ts'],
  },
  {
    name: 'of the lines of one certificate only the first page is tried',
    file: 'src/engine/intake/open-lines.ts',
    find: 'queue.isWhole = page.length < limit',
    replace: 'queue.isWhole = page.length <= limit',
    tests: ['test/engine/matching.test.ts'],
  },
  {
    name: 'the last full page of events says that there is more',
    file: 'src/engine/webhooks/events.ts',
    find: 'rows.length > query.page_size)',
    replace: 'rows.length >= query.page_size)',
    tests: ['test/service/last-events.test.ts'],
  },
  {
    name: 'a page of intakes begins one before its place',
    file: 'src/engine/intake/intakes.ts',
    find: 'to: filter.to - offset }',
    replace: 'to: filter.to - Math.max(0, offset - 1) }',
    tests: ['test/engine/intakes.test.ts'],
  },
  {
    name: 'identifiers of one millisecond restart with their counter',
    file: 'src/engine/unit-of-work.ts',
    find: `  return timeAt(Date.parse(now) + 1)
`,
    replace: `  return now
`,
    tests: ['test/engine/clock.test.ts'],
  },
  {
    name: 'what a row has taken is left for the next one',
    file: 'src/engine/fulfillments/stock-allocation.ts',
    find: `    if (units.left !== undefined) units.left -= 1
`,
    replace: '',
    tests: ['test/engine/fulfillments-csv-model.test.ts'],
  },
  {
    name: 'a replay that is asked for twice begins at the later of both',
    file: 'src/engine/webhooks/outbox.ts',
    find: 'Math.min(after, ...merged',
    replace: 'Math.max(after, ...merged',
    tests: ['test/engine/delivery-ranges.test.ts', 'test/engine/subscriptions-deliveries.test.ts'],
  },
  {
    name: 'lines that are named are received again by every step',
    file: 'src/engine/sandbox/receive.ts',
    find: 'return body.lines ? arrivals.slice(place) : arrivals',
    replace: 'return arrivals',
    tests: ['test/service/receive-steps.test.ts'],
  },
  {
    name: 'the first item of a SKU adds no stock level to the count of them',
    file: 'src/engine/unit-of-work.ts',
    find: `        if (arrived.length > 0) await countNewStock(tx, arrived)
`,
    replace: '',
    tests: ['test/engine/inventory.test.ts'],
    isSimulated: true,
  },
  {
    name: 'a manifest closes by a clock that nobody is sure of',
    file: 'src/engine/timed-work.ts',
    find: 'const sure = await certainTime(options)',
    replace: 'const sure = options.sources.clock()',
    tests: ['test/engine/clock-jumps.test.ts'],
    undoes: 'de19314',
    isSimulated: true,
  },
  {
    name: "a scope's time goes back with the machine's",
    file: 'src/engine/scope-time.ts',
    find: 'if (time >= lastAt) return',
    replace: 'if (time >= 0) return',
    tests: ['test/service/clock-set-back.test.ts'],
    undoes: 'f767a50',
    isSimulated: true,
  },
]
