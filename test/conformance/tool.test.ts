import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openOwnSubject } from '../../src/cli/commands/conformance/own-subject.ts'
import type { Call, Reply } from '../../src/contract/call.ts'
import { createHttpServer } from '../../src/service/http/http.ts'
import { custody } from './custody.ts'

describe("the tool's rules (decisions 11)", () => {
  let folder: string
  let env: Record<string, string>
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'custody-tool-'))
    env = { CUSTODY_DATABASE: join(folder, 'new.db') }
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const csv = (name: string, ...rows: string[]): string => {
    writeFileSync(join(folder, name), `${rows.join('\n')}\n`)
    return join(folder, name)
  }
  const json = async (...args: string[]) => {
    const { out } = await custody([...args, '--json'], env)
    return JSON.parse(out.join('\n'))
  }

  test('writes create a named missing database empty, sandbox seed fills it, and reads exit 8', async () => {
    const { code, err } = await custody(['items', 'summary'], env)
    expect([code, err.join()]).toEqual([8, expect.stringContaining('custody sandbox seed --database')])
    const file = csv('po.csv', 'description', 'A box')
    expect((await custody(['manifests', 'submit', file, '--reference', 'PO-1'], env)).code).toBe(0)
    expect((await json('items', 'summary')).total).toBe(0)
    expect((await custody(['sandbox', 'seed'], env)).code).toBe(0)
    expect((await json('items', 'summary')).total).toBeGreaterThan(20)
  })

  test('irreversible commands need --yes without a terminal', async () => {
    await custody(['sandbox', 'seed'], env)
    const [manifest] = await json('manifests', 'ls', '--status', 'submitted')
    const asked = await custody(['manifests', 'close', manifest.id], env)
    expect([asked.code, asked.err.join('\n')]).toEqual([2, expect.stringContaining('--yes')])
    expect((await json('manifests', 'show', manifest.id)).status).toBe('submitted')
    expect((await custody(['manifests', 'close', manifest.id, '--yes'], env)).code).toBe(0)
    expect((await json('manifests', 'show', manifest.id)).status).toBe('reconciled')
  })

  test('rows that fail the local check are reported and the good ones sent: exit 9', async () => {
    const file = csv('po.csv', 'description,quantity', 'Good,1', 'Bad,none')
    const { code } = await custody(['manifests', 'submit', file, '--reference', 'PO-9'], env)
    expect(code).toBe(9)
    const [manifest] = await json('manifests', 'ls', '--reference', 'PO-9')
    expect(manifest.line_count).toBe(1)
  })

  test('nothing is sent if no row is sendable: exit 6', async () => {
    const file = csv('po.csv', 'description,quantity', 'Bad,none')
    const { code } = await custody(['manifests', 'submit', file, '--reference', 'PO-6'], env)
    expect(code).toBe(6)
    await custody(['sandbox', 'seed'], env)
    expect(await json('manifests', 'ls', '--reference', 'PO-6')).toEqual([])
  })

  test('--arrives-by with a CSV submits through POST /manifests, and says so', async () => {
    const file = csv('po.csv', 'description,quantity', 'Good,1')
    const args = ['manifests', 'submit', file, '--reference', 'PO-7', '--arrives-by', '2031-05-01']
    const { code, err } = await custody(args, env)
    expect([code, err.join('\n')]).toEqual([0, expect.stringContaining('submitted as JSON')])
    const [manifest] = await json('manifests', 'ls', '--reference', 'PO-7')
    expect(manifest.expected_arrival_end).toBe('2031-05-01')
  })

  test('a damaged cursor file exits 6 and skips nothing', async () => {
    await custody(['sandbox', 'seed'], env)
    const cursor = join(folder, 'cursor')
    writeFileSync(cursor, '{"after":')
    const { code, out } = await custody(['events', 'tail', '--cursor-file', cursor], env)
    expect([code, out]).toEqual([6, []])
  })

  test("a 404 on an extension exits 10 if the service's document lacks it, and otherwise 4", async () => {
    const { services, db, subject, close } = await openOwnSubject()
    const withoutIt = async (call: Call): Promise<Reply> => {
      if (call.operation === 'getManifestReport')
        return services.sandbox.handle({ ...call, operation: undefined })
      // Only its body changes, not the bytes that would otherwise be sent.
      const { encoded, ...reply } = await services.sandbox.handle(call)
      const body = reply.body.replace('"/manifests/{manifest_id}/report"', '"/elsewhere"')
      return call.operation === 'getOpenApi' ? { ...reply, body } : { ...reply, ...(encoded && { encoded }) }
    }
    const service = { ...services.sandbox, handle: withoutIt }
    const server = await createHttpServer({ service, db })
    const keyed = { CUSTODY_API_KEY: subject.key, CUSTODY_BASE_URL: await server.listen('127.0.0.1', 0) }
    const none = '019aaaaa-0000-7000-8000-000000000000'
    const codes = [
      (await custody(['manifests', 'report', none], keyed)).code,
      (await custody(['transfers', 'show', none], keyed)).code,
      (await custody(['fulfillments', 'show', none], keyed)).code,
    ]
    await server.close()
    await close()
    expect(codes).toEqual([10, 4, 4])
  })
})
