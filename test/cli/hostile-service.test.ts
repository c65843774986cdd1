import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CliRun } from '../support/cli-io.ts'
import { cliUser, forAllTests, serviceOf } from '../support/each.ts'

/** Clears the screen, in seven and in eight bits; hides text, changes its direction, rings, and starts a new line. */
const evil = 'a\u001b[2J\u009b2J\u001b[8m\u061c\u202e\u0007\u00ad\r\nb'
const obeyed = /(?![\n\t])[\p{Cc}\p{Cf}]/gu

const user = forAllTests(cliUser)
const service = forAllTests(
  serviceOf((request, response) => {
    const [status, body] = answerTo(request.method === 'GET' ? String(request.url) : '')
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  }),
)

describe.each(['a pipe', 'a terminal'])('text of a hostile service in %s', (place) => {
  test.each([
    ['an error', ['items', 'summary']],
    ['an error of a write', ['transfers', 'request', evil]],
    ['an error as JSON', ['items', 'summary', '--json']],
    ['checks', ['doctor']],
    ['event types', ['events', 'tail']],
    ['event types of a list', ['events', 'ls', '--columns', 'created_at,type,data']],
    ['cells', ['items', 'ls', '--columns', 'qid,name,intake_at']],
    ['cells of a record', ['items', 'show', 'Q-7F3K-9M2P-X4TA']],
    ['JSON', ['items', 'ls', '--output', 'ndjson']],
  ])('%s cannot control the terminal', async (_, args) => {
    const { out, err } = await runAt(place, args)
    expect(out + err).toContain('[2J')
    expect([out, err].map((text) => uncoloured(text).match(obeyed))).toEqual([null, null])
    // It does not start a line that looks like custody's own.
    expect(`${out}\n${err}`).not.toMatch(/^b/m)
  })
})

test('CSV is cleaned in a terminal, and unchanged in a pipe', async () => {
  const args = ['items', 'ls', '--columns', 'name', '--output', 'csv', '--no-header']
  expect((await runAt('a pipe', args)).out).toBe(`"${evil}"\n`)
  expect(uncoloured((await runAt('a terminal', args)).out)).not.toMatch(obeyed)
})

test('keys of a manifest and file names are harmless too', async () => {
  const bad = { reference: 'PO', [evil]: 1, lines: [{ description: 'a', [evil]: 2 }] }
  const folder = join(user.home, 'evil\u001b[2J')
  mkdirSync(join(folder, 'custody', 'config.json'), { recursive: true })
  for (const { code, out, err } of [
    await user.run(['manifests', 'submit', '-', '--dry-run'], { input: JSON.stringify(bad) }),
    await user.run(['items', 'ls'], { env: { XDG_CONFIG_HOME: folder } }),
  ]) {
    expect([code === 0, err]).toEqual([false, expect.stringContaining('[2J')])
    expect(out + err).not.toMatch(obeyed)
  }
})

function answerTo(url: string): [number, unknown] {
  const item = {
    qid: evil,
    name: evil,
    intake_at: evil,
    status: evil,
    image_assets: [],
    extra: { [evil]: evil },
  }
  const event = { id: evil, type: evil, created_at: evil, data: { name: evil, status: evil, qid: evil } }
  if (url.startsWith('/v1/events'))
    return [200, { has_more: false, next_starting_after: null, results: [event] }]
  if (/items(\?|$)/.test(url)) return [200, { page: 1, page_size: 25, total: 1, results: [item] }]
  if (url.startsWith('/v1/items/Q-')) return [200, item]
  return [400, { code: 'validation_error', message: evil, extra: { fields: { [evil]: [evil, `x${evil}`] } } }]
}

function runAt(place: string, args: readonly string[]): Promise<CliRun> {
  return user.run(args, { env: service.env, ...(place === 'a terminal' && { terminal: 200 }) })
}

/** Without the tool's own colours. */
function uncoloured(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a colour is.
  return text.replaceAll(/\u001b\[(1|2|3[0-9]|22|39)m/g, '')
}
