import { describe, expect, test } from 'vitest'
import type { Found } from '../../src/cli/items/find-items.ts'
import type { HistoryLine } from '../../src/cli/items/item-history.ts'
import type { WebhookEvent } from '../../src/contract/resources/event.ts'
import type { Fulfillment } from '../../src/contract/resources/fulfillment.ts'
import type { Item } from '../../src/contract/resources/item.ts'
import { forAllTests } from '../support/each.ts'
import { operatorWith } from '../support/operator.ts'
import { servedBy } from '../support/served.ts'

// The same data twice: in the operator's own database, and behind a service.
const operator = forAllTests(operatorWith())
const served = forAllTests(servedBy(operator, { isOwn: true, flags: ['--rate-limit', 'off'] }))

type History = Item & { qids: string[]; history: HistoryLine[] }

async function ofStatus(status: string): Promise<Item> {
  const [item] = await operator.look<Item[]>(['items', 'ls', '--status', status, '--limit', '1'])
  return item as Item
}

/** An item's events, read from the log itself. */
async function eventsOf(qid: string): Promise<string[]> {
  const events = await operator.look<WebhookEvent[]>(['events', 'ls', '--all'])
  return events
    .filter(({ data }) => {
      const { qid: one, qids = [] } = data as { qid?: string; qids?: string[] }
      return one === qid || qids.includes(qid)
    })
    .map(({ id }) => id)
}

describe('items history', () => {
  test('lists every event of an item from its arrival on a line to its delivery', async () => {
    const { qid, cert_number } = await ofStatus('delivered')
    const { history } = await operator.json<History>(['items', 'history', qid])
    expect(history.map(({ event_id }) => event_id)).toEqual(await eventsOf(qid))
    expect(history[0]).toMatchObject({ what: 'arrival', reference: 'PO-1041' })
    expect(history[0]?.details).toMatch(/^line PO-1041-\d+ ".*"; no flags$/)
    expect(history.at(-1)).toMatchObject({ what: 'status', status: 'delivered' })
    expect(history.filter(({ what }) => what === 'order').map(({ status }) => status)).toEqual([
      'pending',
      'processing',
      'shipped',
      'delivered',
    ])
    const byCertificate = await operator.json<History>(['items', 'history', String(cert_number)])
    expect(byCertificate.history).toEqual(history)
  })

  test('covers both arrivals of a returned item', async () => {
    const [{ qids } = { qids: [] }] = await operator.json<Fulfillment[]>([
      'fulfillments',
      'ls',
      '--status',
      'returned',
    ])
    const { history } = await operator.json<History>(['items', 'history', qids[0] ?? ''])
    expect(history.map(({ event_id }) => event_id)).toEqual(await eventsOf(qids[0] ?? ''))
    expect(history.filter(({ what }) => what === 'arrival').length).toBe(2)
    expect(history.some(({ what }) => what === 'return')).toBe(true)
  })

  test('is the same embedded and over HTTP, also as CSV and as a page without addresses', async () => {
    const { qid } = await ofStatus('in_fulfillment')
    for (const more of [['--json'], ['--output', 'csv']]) {
      const args = ['items', 'history', qid, ...more]
      expect((await operator.run(args, served.overHttp)).stdout).toBe((await operator.run(args)).stdout)
    }
    const page = await operator.run(['items', 'history', qid, '--html', '-'])
    const { history } = await operator.json<History>(['items', 'history', qid])
    for (const { event_id } of history) expect(page.stdout).toContain(event_id)
    const [order] = await operator.look<Fulfillment[]>(['fulfillments', 'ls', '--qid', qid])
    expect(page.stdout).not.toContain(order?.shipping_address?.street)
  })

  test("a certificate's address shows the slab of its grader alone", async () => {
    const number = '4012345678'
    await operator.json(['sandbox', 'intake', '--grader', 'CGC', '--grade', '9', '--cert-number', number])
    const url = `https://www.psacard.com/cert/${number}/psa`
    for (const verb of ['show', 'history']) {
      const { exitCode, stdout } = await operator.run(['items', verb, url])
      expect([verb, exitCode, stdout]).toEqual([verb, 4, ''])
      const own = ['items', verb, `https://www.cgccards.com/certlookup/${number}/`]
      expect((await operator.json<Item>(own)).cert_number).toBe(number)
    }
    expect(await operator.json(['items', 'ls', '--cert-number', url])).toEqual([])
    expect(await operator.json(['intakes', 'ls', '--cert-number', url])).toEqual([])
  })

  test('exits 4 for an unknown certificate', async () => {
    const { exitCode, stderr } = await operator.run(['items', 'history', '00000001'])
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining('QID or certificate "00000001"')])
  })
})

describe('items find', () => {
  test('answers held, expected, left, other grader, unknown, or empty, each with its proof', async () => {
    const left = await ofStatus('delivered')
    const held = await ofStatus('available')
    const [order] = await operator.look<Fulfillment[]>(['fulfillments', 'ls', '--qid', left.qid])
    operator.write('new.csv', 'description,grader,cert_number\nA slab,PSA,90000001\n')
    await operator.run(['manifests', 'submit', 'new.csv', '--reference', 'PO-77'])
    const rows = [
      'Cert No,Grading Company,Note',
      `${held.cert_number},${held.grader},a`,
      `${held.qid},,b`,
      `${left.cert_number},,c`,
      `${left.cert_number},HGA,d`,
      '90000001,PSA,e',
      '90000002,PSA,f',
      ',,g',
    ]
    operator.write('list.csv', `${rows.join('\n')}\n`)
    const args = ['items', 'find', 'list.csv', '--json']
    const { stdout, stderr } = await operator.run(args)
    const found = JSON.parse(stdout) as Found[]
    expect(found.map(({ answer, reference, item }) => [answer, reference, item?.qid ?? null])).toEqual([
      ['held', null, held.qid],
      ['held', null, held.qid],
      ['left', order?.external_ref, left.qid],
      ['other_grader', null, left.qid],
      ['expected', 'PO-77', null],
      ['unknown', null, null],
      ['empty', null, null],
    ])
    expect(found[2]?.at).toBe(left.updated_at)
    expect(stderr).toContain('7 rows: 2 held, 1 expected, 1 left, 1 other grader, 1 unknown, 1 empty')
    expect((await operator.run(args, served.overHttp)).stdout).toBe(stdout)
  })

  test('reads a list that a scanner types on stdin, without a header', async () => {
    const { qid, cert_number } = await ofStatus('available')
    const input = `${cert_number}\n${qid.toLowerCase()}\n`
    const { stdout } = await operator.run(['items', 'find', '-', '--json'], { input })
    expect((JSON.parse(stdout) as Found[]).map(({ item }) => item?.qid)).toEqual([qid, qid])
  })

  test("finds a slab by its label's QR code, and with leading zeros", async () => {
    const items = await operator.look<Item[]>(['items', 'ls', '--grader', 'PSA', '--limit', '1'])
    const [{ qid, cert_number } = { qid: '', cert_number: '' }] = items
    const input = `https://www.psacard.com/cert/${cert_number}/psa\n0${cert_number}\n`
    const { stdout } = await operator.run(['items', 'find', '-', '--json'], { input })
    expect((JSON.parse(stdout) as Found[]).map(({ item }) => item?.qid)).toEqual([qid, qid])
  })

  test('exits 6 and lists the columns if the file has none for certificates', async () => {
    operator.write('other.csv', 'Name,Colour\nA,red\n')
    const { exitCode, stderr } = await operator.run(['items', 'find', 'other.csv'])
    expect([exitCode, stderr]).toEqual([6, expect.stringContaining('The columns are Name, Colour.')])
  })

  test('finds 1,500 slabs in at most 8 requests', async () => {
    const lines = Array.from({ length: 1500 }, (_, at) => `Slab ${at},PSA,${80_000_000 + at}`)
    operator.write('many.csv', `description,grader,cert_number\n${lines.join('\n')}\n`)
    await operator.run(['manifests', 'submit', 'many.csv', '--reference', 'PO-1500'])
    await operator.run(['sandbox', 'receive', 'PO-1500'])
    const args = ['items', 'find', 'many.csv', '--output', 'csv', '--debug']
    const { stdout, stderr } = await operator.run(args, served.overHttp)
    expect(stdout.match(/,held,/g)?.length).toBe(1500)
    expect(stderr.match(/^> GET /gm)?.length).toBeLessThanOrEqual(8)
  })

  test('rows are counted as in imports, and a number that a spreadsheet cut is named', async () => {
    const input = 'cert_number,grader\n\n,\n7123456700,\n1.23457E+15,\n12345678.0,PSA\n ,PSA\n'
    const { stdout } = await operator.run(
      ['items', 'find', '-', '--output', 'csv', '--columns', 'row,answer'],
      { input },
    )
    expect(stdout).toBe('row,answer\n2,unknown\n3,damaged\n4,damaged\n5,empty\n')
  })
})

describe('a history with more arrivals', () => {
  test('history says which QID a slab had that left and arrived again, and what its label said', async () => {
    const [first] = await operator.json<Item[]>([
      'items',
      'ls',
      '--status',
      'delivered',
      '--grader',
      'PSA',
      '--limit',
      '1',
    ])
    const { qid, cert_number, grade } = first as Item
    const again = [
      'sandbox',
      'intake',
      '--grader',
      'PSA',
      '--grade',
      '1',
      '--cert-number',
      String(cert_number),
    ]
    const [arrived] = await operator.json<Array<{ qid: string }>>(again)
    const { stdout } = await operator.run(['items', 'history', String(cert_number), '--output', 'csv'])
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toBe('at,what,reference,details,qid,event_id')
    expect(lines[1]).toContain(`as ${qid} (PSA ${grade}); line`)
    expect(lines.at(-1)).toContain(`as ${arrived?.qid} (PSA 1); on no manifest line`)
    for (const line of lines.slice(1, -1)) expect(line).toContain(`,${qid},`)
  })

  test('find names all graders whose slabs in custody have the number of a row without grader', async () => {
    const number = '55501234'
    for (const grader of ['PSA', 'SGC', 'CGC'])
      await operator.json(['sandbox', 'intake', '--grader', grader, '--grade', '9', '--cert-number', number])
    operator.write('bare.csv', `cert,grader\n${number},\n${number},SGC\n`)
    const args = ['items', 'find', 'bare.csv', '--json']
    const { stdout } = await operator.run(args)
    const [bare, named] = JSON.parse(stdout) as Found[]
    expect([bare?.answer, bare?.item]).toEqual(['ambiguous', null])
    expect(bare?.grader?.split(', ').toSorted()).toEqual(['CGC', 'PSA', 'SGC'])
    expect([named?.answer, named?.item?.grader]).toEqual(['held', 'SGC'])
    expect((await operator.run(args, served.overHttp)).stdout).toBe(stdout)
    const many = Array.from({ length: 200 }, () => `${number},`)
    operator.write('bare.csv', `cert,grader\n${many.join('\n')}\n`)
    const found = await operator.json<Found[]>(['items', 'find', 'bare.csv'])
    expect(new Set(found.map(({ answer }) => answer))).toEqual(new Set(['ambiguous']))
  })
})
