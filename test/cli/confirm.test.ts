import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { cliUser, forAllTests } from '../support/each.ts'

type Asked = { message: string; default: unknown; stderr: string }

const written = { out: '', err: '' }
const asked: Asked[] = []
let whenAsked = (): void => {}
vi.mock('@inquirer/prompts', () => ({
  confirm: async (question: { message: string; default: unknown }, { signal }: { signal?: AbortSignal }) => {
    asked.push({ message: question.message, default: question.default, stderr: written.err })
    whenAsked()
    if (signal?.aborted) throw Object.assign(new Error('aborted'), { name: 'AbortPromptError' })
    return false
  },
}))

const hook = 'https://hooks.example.com/custody'
const database = ['--database', 'live.db']
const user = forAllTests(cliUser)
let key: { id: string; prefix: string }
beforeAll(async () => {
  const place = [...database, '--environment', 'production']
  await done('init', ...place, '--partner', 'Northgate', '--name', 'live', '--no-use')
  const body = JSON.stringify({ reference: 'PX', lines: [{ description: 'A box' }] })
  await done('manifests', 'submit', '-', '--profile', 'live', { input: body })
  await done('webhooks', 'create', hook, '--profile', 'live')
  await done('admin', 'keys', 'create', 'Northgate', ...place)
  key = JSON.parse(await done('admin', 'keys', 'ls', ...database, '--json'))[0]
  await done('sandbox', 'seed')
})
beforeEach(() => {
  asked.length = 0
  whenAsked = () => {}
})

async function done(...args: Array<string | { input: string }>): Promise<string> {
  const words = args.filter((arg) => typeof arg === 'string')
  const { code, out, err } = await user.run(words, args.find((arg) => typeof arg !== 'string') ?? {})
  expect([words, code, err]).toEqual([words, 0, expect.any(String)])
  return out
}

const production = 'Writing to PRODUCTION: '
const sandbox = 'Writing to sandbox: '

describe('an irreversible command', () => {
  test.each<[string, () => string[], string]>([
    ['manifests close', () => ['PX', '--profile', 'live'], production],
    ['webhooks rm', () => [hook, '--profile', 'live'], production],
    ['admin keys revoke', () => [key.prefix, ...database], production],
    ['fulfillments cancel', () => ['WEB-20391'], sandbox],
    ['transfers cancel', () => ['SB-0304'], sandbox],
    ['sandbox reset', () => [], sandbox],
    ['warehouse return', () => ['WEB-20390'], sandbox],
    ['warehouse resolve-transfer', () => ['SB-0304', '--to', 'completed'], sandbox],
  ])(
    '%s names the target, then asks, and Enter is no; without a terminal it names --yes',
    async (name, rest, where) => {
      const args = [...name.split(' '), ...rest()]
      written.out = ''
      written.err = ''
      const { code } = await user.run(args, { terminal: 80, written, env: { NO_COLOR: '1' } })
      expect(asked).toEqual([
        { message: expect.stringMatching(/\?$/), default: false, stderr: expect.any(String) },
      ])
      expect(asked[0]?.stderr).toContain(where)
      expect([code, written.out, written.err]).toEqual([130, '', `${asked[0]?.stderr}Nothing was changed.\n`])
      const alone = await user.run(args)
      expect([alone.code, alone.out, alone.err]).toEqual([
        2,
        '',
        expect.stringContaining('Confirm with --yes.'),
      ])
      expect(alone.err).not.toContain('Writing to')
    },
  )

  test('ends by a signal while it asks', async () => {
    const stopping = new AbortController()
    whenAsked = () => stopping.abort()
    const options = { terminal: 80, env: { NO_COLOR: '1' }, stop: stopping.signal }
    const { code, err } = await user.run(['transfers', 'cancel', 'SB-0304'], options)
    expect([code, err]).toEqual([130, expect.stringContaining('Interrupted; nothing was changed.')])
  })

  test('changes nothing after a no', async () => {
    expect(JSON.parse(await done('manifests', 'show', 'PX', '--profile', 'live', '--json')).status).toBe(
      'submitted',
    )
    expect(await done('webhooks', 'ls', '--profile', 'live')).toContain(hook)
    expect(await done('admin', 'keys', 'ls', ...database)).toContain('\tlive\t')
    expect(JSON.parse(await done('fulfillments', 'show', 'WEB-20391', '--json')).status).toBe('pending')
    expect(JSON.parse(await done('transfers', 'show', 'SB-0304', '--json')).status).toBe('requested')
  })

  test('asks nothing with --yes, but still names the target', async () => {
    const env = { NO_COLOR: '1' }
    const options = { terminal: 80, env }
    const closed = await user.run(['manifests', 'close', 'PX', '--profile', 'live', '--yes'], options)
    expect([closed.code, closed.err.split('\n')[0]]).toEqual([0, expect.stringContaining(production)])
    const again = await user.run(['manifests', 'close', 'PX', '--profile', 'live', '--yes'], options)
    expect([again.code, again.err]).toEqual([
      5,
      expect.stringMatching(/already closed\. See:\ncustody manifests report PX\n$/),
    ])
    expect(asked).toEqual([])
  })

  test.each(['fulfillments cancel WEB-20388', 'transfers cancel SB-0302'])(
    '%s too late says what to look at',
    async (line) => {
      const { code, err } = await user.run([...line.split(' '), '--yes'])
      expect([code, err]).toEqual([
        5,
        expect.stringContaining(` See: custody ${line.replace('cancel', 'show')}\n`),
      ])
      const asJson = await user.run([...line.split(' '), '--yes', '--json'])
      expect(JSON.parse(asJson.err.split('\n').at(-2) ?? '')).toMatchObject({
        code: 'state_conflict',
        exit_code: 5,
      })
      // Rejected before the confirmation, with the service's message.
      const unasked = await user.run(line.split(' '), { terminal: 80, env: { NO_COLOR: '1' } })
      const told = err.trimEnd().split('\n').at(-1)
      expect([unasked.code, unasked.err.replace(/\s+/g, ' ')]).toEqual([5, `${told} `])
      expect(asked).toEqual([])
    },
  )
})

describe('sandbox reset', () => {
  test("never deletes a production profile's database, however it is asked", async () => {
    for (const flags of [[], ['--yes']]) {
      const { code, err } = await user.run(['sandbox', 'reset', '--profile', 'live', ...flags], {
        terminal: 80,
      })
      expect([code, err]).toEqual([5, expect.stringContaining('it was not deleted')])
    }
    expect(asked).toEqual([])
    expect(await done('webhooks', 'ls', '--profile', 'live')).toContain(hook)
  })

  test.each([
    ['Northgate', 'sandbox'],
    ['Sandbox', 'production'],
  ])('keeps a database that also holds data of %s in %s', async (partner, environment) => {
    const place = ['--database', `${partner}.db`]
    const both = `${partner}-${environment}`
    const init = ['init', ...place, '--partner', partner, '--environment', environment, '--name', both]
    await done(...init, '--no-use')
    await done('webhooks', 'create', hook, '--profile', both)
    await user.run(['items', 'summary', ...place])
    const { code, err } = await user.run(['sandbox', 'reset', '--yes', ...place])
    expect([code, err]).toEqual([
      5,
      expect.stringContaining('contains more than the sandbox; it was not deleted'),
    ])
    expect(await done('webhooks', 'ls', '--profile', both)).toContain(hook)
  })

  test('keeps a database that holds only production data, if only its file is named', async () => {
    const { code, err } = await user.run(['sandbox', 'reset', '--yes', ...database])
    expect([code, err]).toEqual([5, expect.stringContaining('it was not deleted')])
    expect(await done('webhooks', 'ls', '--profile', 'live')).toContain(hook)
  })

  test('says what it will delete before it creates a new sandbox', async () => {
    const { code, err } = await user.run(['sandbox', 'reset', '--yes', '--no-seed'])
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^Writing to sandbox: .*\nCreated a sandbox without/),
    ])
  })
})
