import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CliRun, type CliUser, newCliUser } from '../support/cli-io.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'
import { type HttpHarness, startHttp } from '../support/http.ts'
import { listedOnly } from '../support/listed-only.ts'

const sqlite = databases[0]!
const absent = '0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d70'

describe('a service with only the listed operations', () => {
  describe.each([
    ['with a document that says so', true],
    ['without a document', false],
  ])('%s', (_, tells) => {
    let harness: Harness
    let http: HttpHarness
    let user: CliUser
    let run: (...args: string[]) => Promise<CliRun>
    const ids: string[] = []

    beforeAll(async () => {
      harness = await startHarness(sqlite)
      http = await startHttp({ ...harness, service: listedOnly(harness.service, { tells }) })
      user = newCliUser()
      const env = { CUSTODY_BASE_URL: http.origin, CUSTODY_API_KEY: harness.key }
      run = (...args) => user.run([...args, '--max-wait', '0'], { env })
      for (let no = 1; no <= 3; no++) {
        const body = { reference: `PO-${no}`, lines: [{ description: 'A box', quantity: 2 }] }
        ids.push((await harness.client.submitManifest({ body })).data.id)
      }
    })
    afterAll(async () => {
      user.dispose()
      await http.close()
      await harness.close()
    })

    test('manifests show finds a manifest by reference through the list, without its lines', async () => {
      for (const given of ['PO-1', ids[0] ?? '']) {
        const { code, out, err } = await run('manifests', 'show', given, '--json')
        expect([code, JSON.parse(out)]).toEqual([
          0,
          expect.objectContaining({ id: ids[0], reference: 'PO-1', line_count: 1 }),
        ])
        expect(err).toBe('Without its lines: this service does not offer GET /manifests/{manifest_id}.\n')
      }
      const { code, err } = await run('manifests', 'show', absent)
      expect([code, err]).toEqual([
        4,
        `custody manifests show: There is no manifest with the id or reference "${absent}". See: custody manifests ls\n`,
      ])
    })

    test('manifests close needs no report unless one is requested', async () => {
      const { code, err } = await run('manifests', 'close', 'PO-2', '--yes')
      expect([code, err.split('\n')[1]]).toEqual([0, 'PO-2 is reconciled: 1 of 1 lines missing.'])
      for (const flags of [['--preview'], ['--max-missing', '1', '--yes'], ['--status', 'missing', '--yes']])
        expect((await run('manifests', 'close', 'PO-3', ...flags)).code).toBe(tells ? 10 : 4)
      expect((await harness.client.getManifest({ params: { manifest_id: ids[2] ?? '' } })).data.status).toBe(
        'submitted',
      )
    })

    test('fulfillments and webhooks are found by id', async () => {
      const byReference = await run('fulfillments', 'show', 'WEB-1')
      expect([byReference.code, byReference.err]).toEqual([
        tells ? 10 : 4,
        expect.stringContaining('look up a fulfillment by your reference: give its id.'),
      ])
      expect((await run('fulfillments', 'show', absent)).code).toBe(4)
      const body = { url: 'https://hooks.example/a', event_types: ['item.status.changed' as const] }
      const { id } = (await harness.client.createSubscription({ body })).data
      expect((await run('webhooks', 'update', id, '--deactivate')).code).toBe(0)
      expect((await run('webhooks', 'update', body.url, '--deactivate')).code).toBe(tells ? 10 : 4)
    })

    test('doctor does not mistake it for production', async () => {
      const { code, out } = await run('doctor')
      expect([code, out]).toEqual([0, expect.stringMatching(/environment\s+ok\s+not known/)])
    })
  })
})
