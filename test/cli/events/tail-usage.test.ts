import { describe, expect, test } from 'vitest'
import { cliUser, forAllTests } from '../../support/each.ts'

const user = forAllTests(cliUser)

/** Rejected before any connection: no such service exists. */
const env = { CUSTODY_BASE_URL: 'http://127.0.0.1:9', CUSTODY_API_KEY: 'x' }
const forward = ['--forward-to', 'http://127.0.0.1:9/hook']

describe('mistakes about event handling are usage errors that name the flag', () => {
  test.each<[string[], string]>([
    [['--exec', 'cat', ...forward], '--exec and --forward-to cannot be used together.'],
    [['--on-failure', 'skip'], '--on-failure needs --exec or --forward-to.'],
    [['--concurrency', '2'], '--concurrency needs --exec or --forward-to.'],
    [['--exec', ' '], '--exec is empty: give it a value, or leave it out.'],
    [['--exec', 'cat', '--concurrency', '0'], '--concurrency: "0" is not a whole number of 1 or more.'],
    [['--exec', 'cat', '--concurrency', '101'], '--concurrency: "101" is more than 100.'],
    [['--exec', 'cat', '--on-failure', 'skp'], '--on-failure: "skp" is not one of retry, skip, stop.'],
    [['--exec', 'cat', '--secret-file', 'f'], '--secret-file needs --forward-to.'],
    [['--secret-stdin'], '--secret-stdin needs --forward-to.'],
    [['--forward-to', 'localhost:3000'], '--forward-to: "localhost:3000" is not an http or https address.'],
    [['--forward-to', '/hook'], '--forward-to: "/hook" is not an http or https address.'],
    [['--forward-to', 'me:sesame@h'], '--forward-to: "[hidden]@h" is not an http or https address.'],
    [['--forward-to', 'http://a:b@127.0.0.1/'], '--forward-to: a name or password in the address'],
    [[...forward, '--secret', 'whsec_AAAA'], '--secret is rejected.'],
    [['--since', '1h', '--from-start'], '--since and --from-start cannot be used together.'],
    [
      ['--from-start', '--since', '1h', '--limit', '5'],
      '--limit and --since and --from-start cannot be used together.',
    ],
    [['--exec', 'cat', '--max-wait', 'long'], '--max-wait: "long" is not a duration.'],
  ])('%j', async (flags, message) => {
    const { code, out, err } = await user.run(['events', 'tail', '--follow', ...flags], { env })
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(message)])
    expect(err).not.toContain('whsec_AAAA')
  })

  test.each(['abc', 'whsec_', 'whsec_not base64'])(
    'an invalid secret is rejected: %j',
    async (CUSTODY_WEBHOOK_SECRET) => {
      const options = { env: { ...env, CUSTODY_WEBHOOK_SECRET } }
      const { code, err } = await user.run(
        ['events', 'tail', '--follow', '--from-start', ...forward],
        options,
      )
      expect([code, err]).toEqual([2, expect.stringContaining('The secret is not a webhook secret')])
    },
  )
})
