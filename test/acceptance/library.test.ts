import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const built = (file: string) => readFileSync(join(root, 'dist', file), 'utf8')

describe('custody/client', () => {
  test('is one small file that loads only the platform and checks nothing against schemas', () => {
    const code = built('client.cjs')
    // Without comments but with names; minified it is 13 kB.
    expect(code.length).toBeLessThan(33_000)
    const loaded = [...code.matchAll(/require\(["'`]([^"'`]+)["'`]\)/g)].map(([, id]) => id)
    expect(loaded).toEqual([])
  })

  test('exports each class once, whether it is imported or required', async () => {
    const script = `import * as imported from 'custody/client'
      const required = process.getBuiltinModule('node:module').createRequire(import.meta.url)('custody/client')
      const names = Object.keys(required)
      console.log(names.every((name) => imported[name] === required[name]), names.join())`
    const { stdout } = await execa('node', ['--input-type=module', '--eval', script], { cwd: root })
    expect(stdout).toBe(
      'true NetworkError,ServiceError,WebhookVerificationError,createClient,getWholeManifest,getWholeReport,verifyWebhook',
    )
  })

  test('declares types', () => {
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(readFileSync(join(root, exports['./client'].types), 'utf8')).toMatch(/library\.js|createClient/)
  })
})
