import { expect, test } from 'vitest'
import { keptTrace, traceOf } from '../../src/domain/trace.ts'

const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736'
const span_id = '00f067aa0ba902b7'
const sent = `00-${trace_id}-${span_id}-01`

test.each([sent, `cc-${trace_id}-${span_id}-01`, `cc-${trace_id}-${span_id}-01-of-a-later-version`])(
  "%s is a valid traceparent (W3C Trace Context), kept without a later version's additions",
  (text) => {
    expect(traceOf(text)).toEqual({ trace_id, span_id })
    expect(keptTrace(text)).toBe(text.slice(0, sent.length))
  },
)

test.each([
  ['nothing', undefined],
  ['several', [sent]],
  ['no text', ''],
  ['the invalid version', sent.replace('00', 'ff')],
  ['more fields than its version allows', `${sent}-more`],
  ['more text without a dash', `${sent.replace('00', 'cc')}0`],
  ['text before it', ` ${sent}`],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-${span_id}-01`],
  ['a span id of zeros', `00-${trace_id}-${'0'.repeat(16)}-01`],
  ['capitals', sent.toUpperCase()],
  ['a short trace id', `00-${trace_id.slice(1)}-${span_id}-01`],
  ['a short span id', `00-${trace_id}-${span_id.slice(1)}-01`],
  ['no flags', `00-${trace_id}-${span_id}`],
  ['letters for flags', `00-${trace_id}-${span_id}-zz`],
])('%s is not a valid traceparent', (_, text) => {
  expect(traceOf(text)).toBeUndefined()
  expect(keptTrace(text)).toBeUndefined()
})

test('zeros within a trace or span id are allowed', () => {
  for (const [trace, span] of [
    [`1${'0'.repeat(31)}`, `${'0'.repeat(15)}1`],
    [`${'0'.repeat(31)}1`, `1${'0'.repeat(15)}`],
    [`00${'f'.repeat(30)}`, 'f'.repeat(16)],
  ])
    expect(traceOf(`cc-${trace}-${span}-00-${'0'.repeat(60)}`)).toEqual({ trace_id: trace, span_id: span })
})
