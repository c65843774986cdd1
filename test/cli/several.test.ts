import { beforeAll, describe, expect, test } from 'vitest'
import { cliUser, forAllTests } from '../support/each.ts'

const rows = (names: readonly string[]) =>
  `description,quantity\n${names.map((name) => `${name},1\n`).join('')}`

const user = forAllTests(cliUser)
const run = (args: string, input = '') =>
  user.run(
    [...args.split(' '), '--database', 'several.db', ...(args.startsWith('warehouse') ? [] : ['--no-seed'])],
    { input },
  )
const json = async (args: string, input = '') => JSON.parse((await run(`${args} --json`, input)).out)

let qids: string[]
beforeAll(async () => {
  const size = 'length,width,height,dimension_unit,weight,weight_unit'
  await run(
    'products import -',
    `name,sku,${size}\nBox,B-1,1,1,1,in,1,oz\nTin,T-1,1,1,1,in,1,oz\n"C,D","C,D",1,1,1,in,1,oz\n`,
  )
  for (const name of ['PO-1', 'PO-2', 'PO-3', 'PO-4'])
    await run(`manifests submit - --reference ${name}`, rows(['Charizard', 'Mewtwo']))
  const intake = await json('sandbox receive PO-1')
  qids = intake.map(({ qid }: { qid: string }) => qid)
  for (const qid of qids) await run(`sandbox advance ${qid} --to available`)
})

describe('commands accept several names', () => {
  test('items show prints a list; a failure is one line and exit 9, and the others are shown', async () => {
    const [one = '', two = ''] = qids
    const several = await run(`items show ${one} Q-0000-0000-0000 - --output ndjson`, `${two}\n\n ${one}\n`)
    expect([
      several.code,
      several.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).qid),
    ]).toEqual([9, [one, two]])
    expect(several.err).toMatch(/^Q-0000-0000-0000: No such resource\. Check the identifier .* target\.\n$/)
    expect((await json(`items show ${one}`)).qid).toBe(one)
    expect(await json('items show -', `${one}\n`)).toEqual([expect.objectContaining({ qid: one })])
    expect(await run(`items show ${one} Q-0000-0000-0000`)).toMatchObject({ code: 9 })
    expect(await run('items show Q-0000-0000-0000')).toMatchObject({ code: 4, out: '' })
    expect(await run('items show -')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Standard input is empty. Write one name per line.'),
    })
  })

  test('manifests close closes each, and rejects flags for a single one', async () => {
    const before = await run('manifests close PO-2 PO-3 --preview')
    expect([before.code, before.err]).toEqual([2, expect.stringContaining('are for one manifest')])
    expect(await run('manifests close PO-2 PO-3')).toMatchObject({ code: 2 })
    const closed = await run('manifests close PO-2 PO-9 PO-3 --yes --output ndjson')
    expect(closed.code).toBe(9)
    expect(closed.err).toContain('PO-9: There is no manifest')
    const statuses = closed.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(statuses.map(({ reference, status }) => [reference, status])).toEqual([
      ['PO-2', 'reconciled'],
      ['PO-3', 'reconciled'],
    ])
    const bound = await run('manifests close PO-4 PO-1 --max-missing 1 --yes --output ndjson')
    expect([bound.code, bound.err]).toEqual([9, expect.stringMatching(/^PO-4 was not closed/m)])
    expect(JSON.parse(bound.out).reference).toBe('PO-1')
  })

  test('transfers are shown and cancelled together', async () => {
    for (const [n, qid] of qids.entries()) await run(`transfers request ${qid} --external-ref SB-${n}`)
    expect(await json('transfers show SB-0 SB-1')).toHaveLength(2)
    const { code, err } = await run('transfers cancel SB-0 SB-7 SB-1 --yes')
    expect([code, err]).toEqual([9, expect.stringContaining('SB-7: There is no transfer')])
    const { code: again, err: why } = await run('transfers cancel SB-0 SB-1 --yes')
    expect([again, why.match(/^SB-\d: /gm)]).toEqual([9, ['SB-0: ', 'SB-1: ']])
  })

  test('items are offered and ordered together, also from stdin, or not at all, and unknown ones are named', async () => {
    const to = '--recipient-name Ann --street 1 --city Austin --state TX --zip 78701 --country US'
    const named = expect.stringContaining('No item has the QID NOPE or Q-0000-0000-0000. See: ')
    const offered = await run(`transfers request ${qids[0]} NOPE Q-0000-0000-0000`)
    expect([offered.code, offered.err]).toEqual([4, named])
    const ordered = await run(`fulfillments create --qid ${qids[0]} --qid NOPE --qid Q-0000-0000-0000 ${to}`)
    expect([ordered.code, ordered.err]).toEqual([4, named])
    expect((await json('transfers request - --external-ref SB-8', `${qids.join('\n')}\n`)).qids).toEqual(qids)
    await run('transfers cancel SB-8 --yes')
  })

  test('fulfillments are shown, advanced, and cancelled together', async () => {
    await run('sandbox intake --sku T-1 --quantity 3')
    const boxes = await json('items ls --sku T-1')
    for (const { qid } of boxes) await run(`sandbox advance ${qid} --to available`)
    const to = 'recipient_name,street,city,state,zip,country'
    const order = (ref: string) => `${ref},T-1,1,Ann,1 Main St,Austin,TX,78701,US\n`
    await run(
      'fulfillments import -',
      `external_ref,sku,quantity,${to}\n${['A-1', 'A-2', 'A-3'].map(order).join('')}`,
    )
    expect(await json('fulfillments show A-1 A-2')).toHaveLength(2)
    const moved = await run('sandbox fulfillment A-1 A-9 --to processing')
    expect([moved.code, moved.err]).toEqual([9, expect.stringMatching(/^A-9: There is no fulfillment/m)])
    const cancelled = await run('fulfillments cancel - --yes --output ndjson', 'A-2\nA-2\nA-9\nA-3\n')
    expect([cancelled.code, cancelled.out.match(/"cancelled"/g)]).toEqual([9, ['"cancelled"', '"cancelled"']])
    expect(await run('fulfillments cancel A-2 A-3')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--yes'),
    })
    const taken = await json('warehouse pick -', 'A-1\n')
    expect(taken).toEqual([expect.objectContaining({ processing_stage: 'picked' })])
    const none = await run('warehouse pack A-1 A-2')
    expect([none.code, none.err]).toEqual([5, expect.stringContaining('Nothing was changed.')])
  })

  test('events, manifests, and webhooks can be named together', async () => {
    const [first, second] = await json('events ls')
    expect((await json(`events show ${second.id} ${first.id}`)).map(({ id }: { id: string }) => id)).toEqual([
      second.id,
      first.id,
    ])
    expect((await run(`manifests show PO-1 PO-9 PO-4`)).code).toBe(9)
    expect(await json('manifests show PO-1 PO-4')).toEqual([
      expect.objectContaining({ reference: 'PO-1', lines: expect.any(Array) }),
      expect.objectContaining({ reference: 'PO-4', lines: expect.any(Array) }),
    ])
    const urls = ['https://hooks.example.com/a', 'https://hooks.example.com/b']
    for (const url of urls) await run(`webhooks create ${url} --type all`)
    expect(await json(`webhooks show ${urls.join(' ')}`)).toHaveLength(2)
    const turned = await run(
      `webhooks update ${urls.join(' ')} https://c.example --deactivate --output ndjson`,
    )
    expect([turned.code, turned.out.match(/"active":false/g)]).toEqual([
      9,
      ['"active":false', '"active":false'],
    ])
    expect(turned.err).toContain('https://c.example: There is no webhook')
    expect(await run(`webhooks update ${urls.join(' ')} --url https://hooks.example.com/d`)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--url is for one webhook.'),
    })
    await run(`webhooks update ${urls.join(' ')} --activate`)
    expect(await json('webhooks test -', `${urls.join('\n')}\n`)).toHaveLength(2)
    const sent = await run(`webhooks test ${urls[0]} https://c.example --output ndjson`)
    expect([sent.code, sent.out.trim().split('\n').length]).toEqual([9, 1])
    const removed = await run(`webhooks rm ${urls[0]} https://hooks.example.com/c ${urls[1]} --yes`)
    expect([removed.code, removed.err.match(/^Deleted/gm)]).toEqual([9, ['Deleted', 'Deleted']])
    expect(await json('webhooks ls')).toEqual([])
  })

  test('keys, profiles, and maps are deleted together', async () => {
    await user.run(['db', 'migrate', '--database', 'keys.db'])
    await user.run(['admin', 'partners', 'create', 'Northgate', '--database', 'keys.db'])
    const made = []
    for (const environment of ['production', 'sandbox']) {
      const { out } = await user.run(
        `admin keys create Northgate --environment ${environment} --database keys.db --json`.split(' '),
      )
      made.push(JSON.parse(out).id)
    }
    const revoked = await user.run([
      ...`admin keys revoke ${made.join(' ')} nokey --database keys.db --yes`.split(' '),
    ])
    expect([revoked.code, revoked.out.match(/^Revoked/gm)]).toEqual([9, ['Revoked', 'Revoked']])
    const gone = await user.run(['presets', 'rm', '@none', '@nobody'])
    expect([gone.code, gone.err.match(/There is no map/g)]).toEqual([
      9,
      ['There is no map', 'There is no map'],
    ])
    const profiles = await user.run(['profiles', 'rm', 'nine', 'ten', '--yes'])
    expect(profiles.code).toBe(9)
  })
})

describe('filters accept several values', () => {
  test('rows keep the order of the list, as many as wanted', async () => {
    const qidsOf = async (args: string) =>
      (await json(`items ls ${args}`)).map(({ qid }: { qid: string }) => qid)
    const all = await qidsOf('--all')
    expect(all.length).toBeGreaterThan(3)
    // The first value's rows are the oldest items, and the last to be updated.
    await run(`transfers request ${qids.join(' ')} --external-ref SB-9`)
    const each = 'pending_transfer,available'
    for (const more of [
      '',
      '--sort-dir asc',
      '--sort-by updated_at',
      '--sort-by updated_at --sort-dir asc',
    ]) {
      const whole = await qidsOf(`--all ${more}`.trim())
      const wanted = await qidsOf(`--status ${each} --all ${more}`.trim())
      expect(wanted).toEqual(whole.filter((qid: string) => wanted.includes(qid)))
      expect(await qidsOf(`--status ${each} --limit 2 ${more}`.trim())).toEqual(wanted.slice(0, 2))
    }
    await run('transfers cancel SB-9 --yes')
  })

  test('says exactly how many rows there are if the values exclude each other', async () => {
    const both = '--status digitized,available'
    const all = await json(`items ls ${both} --all`)
    const { err } = await run(`items ls ${both} --limit 1`)
    expect(err).toContain(`1 of ${all.length}; --all for the rest`)
    expect((await run(`items ls ${both} --sku t-,t-1 --limit 1`)).err).toMatch(/1 of up to \d+; /)
  })

  test('a row that several values find is shown once, and counts once for --limit', async () => {
    const once = await json('items ls --sku t-')
    expect(once).toHaveLength(3)
    expect(await json('items ls --sku t-,t-1')).toEqual(once)
    expect(await json('items ls --sku t-,t-1 --limit 2')).toEqual(once.slice(0, 2))
    expect((await run('items ls --sku t-,t-1 --limit 2')).err).toContain('2 of up to 6; --all for the rest')
    expect((await run('items ls --sku t- --limit 2')).err).toContain('2 of 3; --all for the rest')
  })

  test('a search takes one text, whose commas are written as in other values', async () => {
    const found = await json('products ls --search c\\,d')
    expect(found.map(({ sku }: { sku: string }) => sku)).toEqual(['C,D'])
    expect((await run('products ls --search box,tin')).code).toBe(2)
  })

  test('the message explains how to write a comma if nothing is found', async () => {
    const { code, err } = await run('products ls --sku X,Y')
    expect([code, err]).toEqual([
      0,
      expect.stringContaining('none found; a comma within a value is written \\,'),
    ])
    expect((await run('products ls --sku X')).err).not.toContain('comma')
  })

  test('inventory looks for each part of a SKU', async () => {
    const skus = async (args: string) =>
      (await json(`inventory ls ${args}`)).map(({ sku }: { sku: string }) => sku)
    expect(await skus('--sku b-,t-')).toEqual(['B-1', 'T-1'])
    expect(await skus('--sku b-')).toEqual(['B-1'])
  })

  test.each([
    ['items ls --status available,received --sku t-', 2],
    ['items ls --status available,received', 4],
    ['items ls --status received --status available', 4],
    ['items ls --status received', 0],
    ['products ls --sku B-1,T-1', 2],
    ['products ls --sku B-1 --sku B-1', 1],
    ['products ls --sku C\\,D', 1],
    ['manifests ls --reference PO-1,PO-4,PO-9', 2],
    ['manifests ls --reference PO-1,PO-2,PO-4 --limit 2', 2],
    ['manifests ls --status submitted,reconciled --page-size 3', 3],
  ])('%s: %d', async (args, count) => {
    expect(await json(args)).toHaveLength(count)
  })

  test('one wrong value, or a page of several lists, exits 2', async () => {
    const { code, err } = await run('items ls --status available,receivd')
    expect([code, err]).toEqual([2, expect.stringContaining('Did you mean received?')])
    const paged = await run('items ls --status available,received --page 2')
    expect([paged.code, paged.err]).toEqual([
      2,
      expect.stringContaining('--page cannot be used with several values'),
    ])
  })
})

describe('wait', () => {
  test('ends when each has the status, and says which cannot reach it', async () => {
    expect(await json('wait manifests PO-1 --until reconciled')).toMatchObject({
      name: 'PO-1',
      status: 'reconciled',
    })
    const late = await run('wait manifests PO-1 PO-4 --until submitted,receiving')
    expect([late.code, late.err]).toEqual([
      9,
      expect.stringMatching(/^PO-1 is reconciled, and cannot become submitted or receiving any more\.$/m),
    ])
    const given = await run('wait manifests PO-4 --until reconciled --max 1s')
    expect([given.code, given.err]).toEqual([5, expect.stringContaining('PO-4 is still submitted after 1s.')])
    const wrong = await run('wait manifests PO-4 --until reconcild')
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('Did you mean reconciled?')])
  })

  test('ends at once if the status before has passed', async () => {
    await run('manifests submit - --reference PO-R', rows(['Charizard', 'Mewtwo']))
    await run('sandbox receive PO-R --line 1=1')
    const passed = await run('wait manifests PO-R --until submitted --max 1s')
    expect([passed.code, passed.err]).toEqual([
      5,
      expect.stringContaining('PO-R is receiving, and cannot become submitted any more.'),
    ])
  })

  test('notices a change while it waits', async () => {
    const waiting = run('wait manifests PO-4 --until reconciled --max 1m')
    await run('manifests close PO-4 --yes')
    expect(await waiting).toMatchObject({ code: 0 })
  })
})

describe('arrivals of several manifests', () => {
  test('manifests are received, reported, and labelled together', async () => {
    for (const name of ['PO-5', 'PO-6'])
      await run(`manifests submit - --reference ${name}`, rows(['Charizard', 'Mewtwo']))
    const arrived = await run('sandbox receive PO-5 PO-9 - --output ndjson', 'PO-6\n')
    expect([arrived.code, arrived.out.trim().split('\n').length]).toEqual([9, 4])
    expect(arrived.err.match(/^PO-\d: (There is no manifest|2 items arrived)/gm)).toEqual([
      'PO-9: There is no manifest',
      'PO-5: 2 items arrived',
      'PO-6: 2 items arrived',
    ])
    expect(await run('sandbox receive PO-5 PO-6 --line 1=1')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--line is for one manifest.'),
    })
    const totals = await run(
      'manifests report PO-5 PO-9 PO-6 --columns reference,totals.matched --output csv',
    )
    expect([totals.code, totals.out]).toEqual([9, 'reference,totals.matched\nPO-5,2\nPO-6,2\n'])
    expect(await json('manifests report PO-5 PO-6')).toEqual([
      expect.objectContaining({ reference: 'PO-5', lines: expect.any(Array) }),
      expect.objectContaining({ reference: 'PO-6', lines: expect.any(Array) }),
    ])
    expect((await run('manifests report PO-5 PO-6 --open')).code).toBe(2)
    expect((await run('sandbox receive PO-5 --json')).out).toBe('[]\n')
    expect(await run('manifests report PO-5 PO-6 --html x.html')).toMatchObject({
      code: 2,
      err: expect.stringContaining('are for one manifest.'),
    })
    const labels = await run('manifests labels PO-5 PO-9 PO-6 --parcels 2 --html -')
    expect([labels.code, labels.out.match(/<h1>PO-\d/g)]).toEqual([
      9,
      ['<h1>PO-5', '<h1>PO-5', '<h1>PO-6', '<h1>PO-6'],
    ])
    expect(await run('manifests labels PO-9 --html -')).toMatchObject({ code: 4, out: '' })
    expect(await json('intakes ls --manifest PO-5')).toHaveLength(2)
    expect(await json('items ls --manifest PO-5,PO-6')).toHaveLength(4)
  })
})
