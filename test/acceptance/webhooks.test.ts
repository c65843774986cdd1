import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { webhookEventTypes } from '../../src/contract/enums.ts'
import type { Subscription } from '../../src/contract/resources/event.ts'
import { makeSecret, secretBytes, signedHeaders } from '../../src/domain/webhooks/webhook-signature.ts'
import { forAllTests } from '../support/each.ts'
import { newOperator, type Operator, operatorWith } from '../support/operator.ts'
import { type Served, serve } from '../support/served.ts'

const address = 'https://hooks.custody.example/in'

describe.each(['embedded', 'http'])('webhooks, %s', (kind) => {
  let operator: Operator
  let served: Served | undefined

  beforeAll(async () => {
    operator = await newOperator('none')
    if (kind === 'embedded') {
      await operator.run(['init', '--database', 'own.db', '--name', 'own'])
      await operator.run(['sandbox', 'seed'])
    } else {
      served = await serve(operator)
      const init = ['init', '--base-url', served.baseUrl, '--name', 'own', '--api-key-stdin']
      await operator.run(init, { input: served.key })
    }
  })

  afterAll(async () => {
    await served?.stop()
    operator.leave()
  })

  test('cover the whole life: create, show, update, test, replay, delete', async () => {
    const created = await operator.run([
      'webhooks',
      'create',
      address,
      '--type',
      'transfer.completed',
      '--json',
    ])
    expect(created.stderr).toContain('The secret is shown only now.')
    const { secret, ...webhook } = JSON.parse(created.stdout) as Subscription & { secret: string }
    expect(secret).toMatch(/^whsec_/)
    expect(await operator.json(['webhooks', 'ls'])).toEqual([webhook])
    expect(await operator.json(['webhooks', 'show', address])).toEqual(webhook)
    expect(await operator.json(['webhooks', 'show', webhook.id])).toEqual(webhook)

    const changed = { ...webhook, event_types: [...webhookEventTypes], active: false }
    const update = ['webhooks', 'update', address, '--type', 'all', '--deactivate']
    expect(await operator.json(update)).toEqual(changed)
    const inactive = await operator.run(['webhooks', 'test', address])
    expect(inactive.exitCode).toBe(5)
    await operator.json(['webhooks', 'update', address, '--activate'])

    const rotate = ['webhooks', 'rotate-secret', address, '--grace', '2h']
    const rotated = await operator.json<{ secret: string }>(rotate)
    expect(rotated.secret).not.toBe(secret)

    const tested = await operator.run(['webhooks', 'test', address, '--json'])
    const { id, status } = JSON.parse(tested.stdout)
    expect([tested.exitCode, status]).toEqual([0, 'pending'])
    expect(tested.stderr.includes('custody serve --database')).toBe(kind === 'embedded')
    const deliveries = await operator.json<Array<{ id: string }>>(['webhooks', 'deliveries', address])
    expect(deliveries.map((delivery) => delivery.id)).toEqual([id])
    expect(await operator.json(['webhooks', 'deliveries', address, '--status', 'dead', '--all'])).toEqual([])
    expect((await operator.run(['webhooks', 'redeliver', address, id])).exitCode).toBe(5)
    expect((await operator.run(['webhooks', 'redeliver', address, '--dead'])).stderr).toContain('none found')

    const replayed = await operator.json<{ queued: number }>([
      'webhooks',
      'replay',
      address,
      '--since',
      '400d',
    ])
    expect(replayed.queued > 0).toBe(kind === 'embedded')

    expect((await operator.run(['webhooks', 'rm', address])).exitCode).toBe(2)
    expect((await operator.run(['webhooks', 'rm', address, '--yes'])).exitCode).toBe(0)
    expect(await operator.json(['webhooks', 'ls'])).toEqual([])
    expect((await operator.run(['webhooks', 'show', address])).exitCode).toBe(4)
    expect((await operator.run(['webhooks', 'show', webhook.id])).exitCode).toBe(4)
  })

  test('need confirmation for a second one with the same events and address', async () => {
    const create = ['webhooks', 'create', address]
    const { id } = await operator.json<Subscription>([...create, '--type', 'transfer.completed'])
    const others = [...create, '--type', 'transfer.declined', '--idempotency-key', 'one-key']
    const other = await operator.json<Subscription>(others)
    expect(await operator.json<Subscription>(others)).toEqual(other)
    const [, host = ''] = address.split('/').filter(Boolean)
    const otherwise = address.replace(host, `${host.toUpperCase()}:443`)
    expect((await operator.run(['webhooks', 'create', otherwise])).exitCode).toBe(5)
    const twice = await operator.run(create)
    expect([twice.exitCode, twice.stdout, twice.stderr]).toEqual([
      5,
      '',
      expect.stringContaining(`${address} already has a webhook for such events; nothing was created.`),
    ])
    const again = await operator.json<Subscription>([...create, '--again'])
    const ids = [id, other.id, again.id]
    const listed = await operator.json<Subscription[]>(['webhooks', 'ls'])
    expect(listed.map((each) => each.id).sort()).toEqual(ids.toSorted())
    for (const each of ids) await operator.run(['webhooks', 'rm', each, '--yes'])
  })

  test('need confirmation for a change to the address or the types of another one', async () => {
    const create = async (url: string, types: string) =>
      (await operator.json<Subscription>(['webhooks', 'create', url, '--type', types])).id
    const transfers = 'transfer.completed,transfer.declined'
    const one = await create(address, transfers)
    const other = await create(`${address}/other`, 'transfer.completed')
    const update = (...flags: string[]) => operator.run(['webhooks', 'update', other, ...flags])
    const moved = await update('--url', address)
    expect([moved.exitCode, moved.stdout, moved.stderr]).toEqual([
      5,
      '',
      expect.stringContaining(`${address} already has a webhook for such events; nothing was changed.`),
    ])
    expect(moved.stderr).toContain(`webhooks show ${one}; --again`)
    expect((await update('--url', address, '--type', 'item.status.changed')).exitCode).toBe(0)
    expect((await update('--type', 'transfer.declined')).exitCode).toBe(5)
    const spelled = ['webhooks', 'update', other.toUpperCase(), '--type']
    expect((await operator.run([...spelled, 'transfer.declined'])).exitCode).toBe(5)
    expect((await operator.run([...spelled, 'item.status.changed', '--url', address])).exitCode).toBe(0)
    expect((await update('--deactivate')).exitCode).toBe(0)
    expect((await update('--url', address)).exitCode).toBe(0)
    const changed = await update('--type', transfers, '--again', '--json')
    expect(JSON.parse(changed.stdout)).toMatchObject({ id: other, url: address, active: false })
    for (const id of [one, other]) await operator.run(['webhooks', 'rm', id, '--yes'])
  })

  test('need confirmation for a second rotation within the grace of the first, which would cut off the receiver', async () => {
    const { id } = await operator.json<Subscription>(['webhooks', 'create', address])
    const rotate = ['webhooks', 'rotate-secret', id]
    expect((await operator.run([...rotate, '--grace', '0'])).exitCode).toBe(0)
    const { secret } = await operator.json<{ secret: string }>(rotate)
    const twice = await operator.run(rotate)
    expect([twice.exitCode, twice.stdout, twice.stderr]).toEqual([
      2,
      '',
      expect.stringMatching(/The secret replaced on \S+Z still signs until \S+Z\. .*--yes/),
    ])
    expect((await operator.json<{ secret: string }>([...rotate, '--yes'])).secret).not.toBe(secret)
    expect((await operator.run(['webhooks', 'rm', id, '--yes'])).exitCode).toBe(0)
  })

  test.each([
    [['create', 'http://hooks.custody.example/in'], 6, 'url'],
    [['create', address, '--type', 'transfer.complete'], 2, 'Did you mean transfer.completed?'],
    [['update', address], 2, 'Nothing to change'],
    [['replay', address], 2, 'Give either --since or --starting-after.'],
    [['redeliver', address], 2, 'Name deliveries, or give --dead'],
    [['test', address, '--wait', 'soon'], 2, '--wait: "soon" is not a duration.'],
  ])('%j exits %i', async (args, code, message) => {
    const { exitCode, stderr } = await operator.run(['webhooks', ...args])
    expect([exitCode, stderr]).toEqual([code, expect.stringContaining(message)])
  })
})

test('tell with test --wait how the first attempt ended', async () => {
  const operator = await newOperator('none')
  const served = await serve(operator)
  await operator.run(['webhooks', 'create', address], { env: served.env })
  const { exitCode, stdout } = await operator.run(['webhooks', 'test', address, '--wait', '30s', '--json'], {
    env: served.env,
  })
  expect([exitCode, JSON.parse(stdout)]).toEqual([
    9,
    expect.objectContaining({ status: 'pending', attempts: 1 }),
  ])
  await served.stop()
  operator.leave()
})

describe('webhooks verify', () => {
  const secret = makeSecret(new Uint8Array(secretBytes).fill(3))
  const body = '{"type":"transfer.completed","note":"ü"}'
  const operator = forAllTests(operatorWith('none'))

  beforeAll(() => {
    operator.write('body.json', body)
    operator.write('secret', `${secret}\n`)
    const headers = signedHeaders([secret], 'evt-1', body, Date.now())
    operator.write('headers.json', `\ufeff${JSON.stringify(headers)}`)
    const lines = Object.entries(headers).map(([name, value]) => `${name.toUpperCase()}: ${value}\r\n`)
    operator.write('headers.txt', `HTTP/1.1 200 OK\r\n${lines.join('')}`)
    const listed = { ...headers, 'webhook-signature': ['v1,AAAA', headers['webhook-signature']] }
    operator.write('listed.json', JSON.stringify(listed))
    operator.write('indented.txt', lines.map((line) => `  ${line.replace(':', ' :')}`).join(''))
    operator.write('null.json', 'null')
    operator.write('null-headers.json', JSON.stringify(signedHeaders([secret], 'evt-1', 'null', Date.now())))
    const old = signedHeaders([secret], 'evt-1', body, Date.now() - 86_400_000)
    operator.write('old.json', JSON.stringify(old))
  })

  const byFile = ['--secret-file', 'secret']
  const env = { CUSTODY_WEBHOOK_SECRET: `'${secret}'` }
  test.each<[string, string[], { input?: string; env?: Record<string, string> }, number]>([
    ['a file of header lines', ['body.json', '--headers', 'headers.txt', ...byFile], {}, 0],
    ['a file of header JSON', ['body.json', '--headers', 'headers.json'], { env }, 0],
    ['a list of signatures', ['body.json', '--headers', 'listed.json'], { env }, 0],
    ['indented header lines', ['body.json', '--headers', 'indented.txt'], { env }, 0],
    ['the body on stdin', ['-', '--headers', 'headers.json'], { env, input: body }, 0],
    [
      'the secret on stdin',
      ['body.json', '--headers', 'headers.json', '--secret-stdin'],
      { input: secret },
      0,
    ],
    ['an old timestamp', ['body.json', '--headers', 'old.json'], { env }, 6],
    ['an old timestamp with --any-age', ['body.json', '--headers', 'old.json', '--any-age'], { env }, 0],
    ['another body', ['-', '--headers', 'headers.json'], { env, input: `${body}\n` }, 6],
    ['no secret', ['body.json', '--headers', 'headers.json'], {}, 2],
    ['no headers', ['body.json', '--id', 'evt-1'], { env }, 2],
    ['the secret as an argument', ['body.json', '--headers', 'headers.json', '--secret', secret], {}, 2],
    ['stdin used twice', ['-', '--headers', 'headers.json', '--secret-stdin'], { input: secret }, 2],
  ])('%s', async (_, args, options, code) => {
    const { exitCode, stdout, stderr } = await operator.run(['webhooks', 'verify', ...args], options)
    expect([exitCode, stderr]).toEqual([code, code === 0 ? '' : expect.any(String)])
    if (code === 0) expect(stdout).toContain('signature\tvalid\nid\tevt-1\ntype\ttransfer.completed\n')
    expect(stdout + stderr).not.toContain(secret)
  })

  test('a signed body without a type', async () => {
    const args = ['null.json', '--headers', 'null-headers.json', '--json']
    const { exitCode, stdout } = await operator.run(['webhooks', 'verify', ...args], { env })
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ type: null })])
  })

  test('a timestamp in words is named', async () => {
    const args = ['body.json', '--headers', 'headers.json', '--timestamp', 'today']
    const { exitCode, stderr } = await operator.run(['webhooks', 'verify', ...args], { env })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('"today" is not a time in seconds')])
  })
})
