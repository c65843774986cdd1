import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { presets } from '../../../src/cli/imports/formats/presets/presets.ts'
import { type CliUser, newCliUser } from '../../support/cli-io.ts'
import { expectGolden } from '../../support/golden.ts'

const folder = fileURLToPath(new URL('../../exports/', import.meta.url))
const files = readdirSync(folder).filter((name) => name.endsWith('.csv'))
const commands = {
  manifest: ['manifests', 'submit'],
  products: ['products', 'import'],
  fulfillments: ['fulfillments', 'import'],
}
/** What exports of products lack. */
const sizes = ['length=10', 'width=8', 'height=4', 'dimension_unit=cm', 'weight=100', 'weight_unit=g']

let user: CliUser
beforeAll(() => {
  user = newCliUser()
})
afterAll(() => user.dispose())

describe('every preset has two exports, which are recognised by their header', () => {
  test.each(
    presets.flatMap((preset) => [1, 2].map((number) => ({ preset, file: `${preset.name}-${number}` }))),
  )('$file', async ({ preset, file }) => {
    expect(files).toContain(`${file}.csv`)
    copyFileSync(join(folder, `${file}.csv`), join(user.home, `${file}.csv`))
    const set = preset.kind === 'products' ? sizes.flatMap((text) => ['--set', text]) : []
    const flags = ['--dry-run', '--output', 'csv', '--raw', ...set]
    const { code, out, err } = await user.run([...commands[preset.kind], `${file}.csv`, ...flags])
    if (preset.refused === undefined) expect(err).toContain(`Recognised: ${preset.title}; `)
    expectGolden(`exports/${file}.txt`, `exit ${code}\n\n${err}\n${out}`)
  })

  test('presets ls names them all, and show their rules', async () => {
    const { out } = await user.run(['presets', 'ls', '--output', 'tsv', '--no-header'])
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0]),
    ).toEqual(presets.map(({ name }) => name))
    const shown = await user.run(['presets', 'show', 'card-ladder'])
    expect(shown.out).toContain(
      'cert_number\tSlab Serial #; of BGS, BVG, BCCG with 7 to 9 digits: zeros before it, to 10',
    )
    expect(await user.run(['presets', 'show', 'nope'])).toMatchObject({ code: 4 })
  })

  test('--from names one, and its header must be that', async () => {
    copyFileSync(join(folder, 'psa-order-1.csv'), join(user.home, 'named.csv'))
    const submit = ['manifests', 'submit', 'named.csv', '--dry-run', '--from']
    expect(await user.run([...submit, 'psa-order'])).toMatchObject({ code: 0 })
    const { code, err } = await user.run([...submit, 'psa-collection'])
    expect([code, err]).toEqual([
      6,
      expect.stringContaining('its header lacks Cert Number, Grade Issuer, Subject, Vault Status'),
    ])
  })
})
