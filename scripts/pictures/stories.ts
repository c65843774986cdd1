// The commands and pages in the pictures of the documentation.

export type Line = {
  command: string
  /** The exit code; default 0. */
  code?: number
  /** For a command that does not end: interrupts it after this many lines. */
  lines?: number
}

export type Picture = {
  name: string
  title: string
  columns: number
  /** Names in fixtures/. */
  files?: readonly string[]
  /** Commands on the sample data that are not shown. */
  before?: readonly Line[]
  commands: readonly Line[]
  /** A page to show instead of the terminal, with its size in pixels. */
  page?: { file: string; width: number; height: number }
}

const submit: Line = {
  command: 'custody manifests submit clean.csv --reference PO-7 --source card_show',
}
const receive: Line = { command: 'custody sandbox receive PO-7 --outcome short > arrived.txt' }
const order: Line = { command: 'custody fulfillments import orders.csv' }
const close: Line = { command: 'custody manifests close PO-7 --yes' }

export const pictures: readonly Picture[] = [
  {
    name: 'session',
    title: 'A buy sheet is submitted, received, and reported',
    columns: 96,
    files: ['buy-sheets/clean.csv', 'fulfillments/orders.csv'],
    commands: [submit, receive, { command: 'custody manifests report PO-7' }, order],
  },
  {
    name: 'import',
    title: 'An import of a buy sheet with two bad rows',
    columns: 96,
    files: ['buy-sheets/two-bad-rows.csv'],
    commands: [{ command: 'custody manifests submit two-bad-rows.csv --reference BS-4471', code: 9 }],
  },
  {
    name: 'report',
    title: 'The reconciliation report on a terminal',
    columns: 96,
    commands: [{ command: 'custody manifests report PO-1041' }],
  },
  {
    name: 'report-page',
    title: 'The reconciliation report as a page',
    columns: 96,
    commands: [{ command: 'custody manifests report PO-1041 --html report.html' }],
    page: { file: 'report.html', width: 1040, height: 860 },
  },
  {
    name: 'labels',
    title: 'Labels for two parcels',
    columns: 96,
    commands: [{ command: 'custody manifests labels PO-1041 --html labels.html --parcels 2' }],
    page: { file: 'labels.html', width: 770, height: 580 },
  },
  {
    name: 'events',
    title: 'Events as they happen',
    columns: 96,
    files: ['buy-sheets/clean.csv', 'fulfillments/orders.csv'],
    before: [submit, receive, order, close],
    commands: [{ command: 'custody events tail --follow --limit 8', lines: 8 }],
  },
]
