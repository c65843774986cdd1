import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loggedEvents, resultTexts } from '../../../src/cli/events/event-pages.ts'
import type { WebhookEvent } from '../../../src/contract/resources/event.ts'

describe("an event's bytes", () => {
  test('are those of the page, not a new serialization', () => {
    const own = '{ "id":"1", "n": 1.0, "s":"\\u00e9\\/\\"]},{", "data" : {"results":[1,[2]]} }'
    const page = `{"has_more":false, "results" : [ ${own} ,\n{"id":"2"}],"next_starting_after":"results"}`
    const results = JSON.parse(page).results as WebhookEvent[]
    expect(loggedEvents({ data: { results }, text: page }).map(({ text }) => text())).toEqual([
      own,
      '{"id":"2"}',
    ])
  })

  test.each(['{"results":[]}', '{"a":"results","b":[1],"results":[ ]}', '{"results":null,"a":["x"]}'])(
    'are missing for %s',
    (page) => {
      expect(resultTexts(page)).toEqual([])
    },
  )

  test('survive any JSON in them, however it is spaced', () => {
    const element = fc.json().map((text) => (text === '' ? '0' : text))
    const property = fc.property(
      fc.array(element),
      fc.json(),
      fc.constantFrom(null, 1, '\t'),
      (elements, other, space) => {
        const texts = elements.map((text) => JSON.stringify(JSON.parse(text), null, space ?? undefined))
        const page = `{"x": ${other}, "results": [${texts.join(space === null ? ',' : ' ,\n')}], "y": ${other}}`
        expect(resultTexts(page)).toEqual(texts)
      },
    )
    fc.assert(property)
  })
})
