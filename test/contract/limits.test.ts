import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { commandsPage } from '../../scripts/help-pages.ts'
import * as limits from '../../src/contract/limits.ts'

const { mebibyte, dayMs, attemptDelaysSeconds, ...limited } = limits
const numbers: Record<string, number> = limited

/** Every text with its numbers, after each limit is set to a number that no text can contain. */
let texts: string[]

beforeAll(async () => {
  vi.resetModules()
  vi.doMock('../../src/contract/limits.ts', () => ({ ...changed(), mebibyte, dayMs, attemptDelaysSeconds }))
  const { openApiDocument } = await import('../../src/contract/document/openapi.ts')
  const { apiPages } = await import('../../src/contract/document/api-pages.ts')
  const document = openApiDocument() as Parameters<typeof apiPages>[0]
  const { nouns } = await import('../../src/cli/program/commands.ts')
  const pages = [...apiPages(document)].map(([, text]) => text)
  texts = [...pages, JSON.stringify(document), await commandsPage(nouns)]
})

afterAll(() => {
  vi.doUnmock('../../src/contract/limits.ts')
  vi.resetModules()
})

/** Another number of the same kind: bytes, milliseconds, seconds, or a count. */
function changed(): Record<string, number> {
  return Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [name, value + 68 * stepOf(name, value)]),
  )
}

function stepOf(name: string, value: number): number {
  const steps = [mebibyte, dayMs, /seconds/i.test(name) ? 86_400 : 1024]
  return steps.find((step) => value % step === 0) ?? 1
}

/** The number as people write it. */
function written(name: string, value: number): string[] {
  if (value % mebibyte === 0) return [`${value / mebibyte} MiB`]
  if (value % dayMs === 0) return inDays(value / dayMs)
  if (/seconds/i.test(name) && value % 86_400 === 0)
    return [...inDays(value / 86_400), `default: "${value / 3600}h"`]
  if (/days/i.test(name)) return inDays(value)
  if (/minutes/i.test(name)) return [`${value} minutes`, `default: ${value}m`]
  if (/seconds/i.test(name)) return [`${value} seconds`, `${value} s`]
  return [String(value), value.toLocaleString('en')]
}

const inDays = (n: number): string[] => [
  ...[`${n} days`, `to ${n}d`],
  ...(n === 7 ? ['seven days', 'a week later the'] : []),
]

const before =
  '(?:at most|up to|maximum(?: of)?|default:?|more than|no more than|within|older than|from \\d+ to|of at most)'
const after =
  '(?:at most|rows|lines|items|units|characters|columns|entries|faults|values|subscriptions|changes)'

/** Whether a text uses the number as a limit, not as the price or the status of an example. */
function statedIn(text: string, form: string): string[] {
  const number = form.replace(/[.]/g, '\\.')
  const isUnit = /[a-z]/i.test(form)
  const limit = new RegExp(
    isUnit ? `\\b${number}\\b` : `${before} ${number}(?![\\d,.:]\\d|\\d)|(?<![\\d,.])${number} ${after}\\b`,
    'gi',
  )
  return [...text.matchAll(limit)].map(({ index }) => text.slice(Math.max(0, index - 60), index + 40))
}

describe('a changed limit leaves no text with the old one', () => {
  test.each(Object.entries(numbers))('%s', (name, value) => {
    const old = texts.flatMap((text) => written(name, value).flatMap((form) => statedIn(text, form)))
    expect(old).toEqual([])
  })

  test('a text with an old limit is found', () => {
    const sentence = `A page has at most ${limits.pageSizeMax} entries, a file 50,000 rows; kept for seven days, up to 20 MiB.`
    const found = (name: string) => written(name, numbers[name]!).flatMap((form) => statedIn(sentence, form))
    for (const name of ['pageSizeMax', 'csvRowsMax', 'replayedMs', 'csvFileBytesMax'])
      expect(found(name), name).not.toEqual([])
  })
})

const days = limits.dayMs
const numerals = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const delays = attemptDelaysSeconds
  .slice(1)
  .map((s) => (s < 60 ? `${s} s` : s < 3600 ? `${s / 60} min` : `${s / 3600} h`))

/** What the pages written by hand say, with the numbers as they are. */
const stated: ReadonlyArray<[page: string, text: string]> = [
  ['using', `retried for \`--max-wait\` (${limits.maxWaitMinutesDefault} minutes)`],
  ['using', `no 2xx answer within ${limits.attemptSecondsMax} seconds`],
  ['using', `otherwise for ${limits.maxWaitMinutesDefault} minutes or \`--max-wait\``],
  ['importing', `equal to one of the last ${limits.repeatsDaysDefault} days`],
  ['importing', `in the same file within ${numerals[limits.replayedMs / days]} days`],
  ['layout', `the ${numerals[limits.replayedMs / days]} days of a replay`],
  ['operating', `secret was rotated (${limits.graceSecondsMax / 86_400} days)`],
  ['operating', `order of the last ${limits.repeatsDaysDefault} days`],
  ['operating', `a 2xx answer within ${limits.attemptSecondsMax} s`],
  ['operating', `waits up to ${limits.waitSecondsMax} s`],
  ['operating', `${limits.deliveryRangesMax} times in all`],
  ['operating', `more than ${numerals[limits.signatureMinutesMax]} minutes away`],
  ['operating', `Answer 2xx within ${limits.attemptSecondsMax} s`],
  ['operating', `is retried after ${delays.slice(0, -1).join(', ')}, and ${delays.at(-1)}`],
  ['operating', `${numerals[limits.failingDaysMax]} days without a success`],
]

test.each(stated)('docs/%s.md says: %s', (page, text) => {
  expect(readFileSync(`docs/${page}.md`, 'utf8').replace(/\s+/g, ' ')).toContain(text)
})
