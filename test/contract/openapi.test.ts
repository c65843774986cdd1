import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { openApiDocument, openApiText } from '../../src/contract/openapi.ts'
import { operations } from '../../src/contract/operations.ts'
import { expectGolden } from '../support/golden.ts'

const root = join(import.meta.dirname, '..', '..')
const redocly = join(root, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js')

describe('the OpenAPI document', () => {
  test('is the checked-in one', () => {
    expectGolden('openapi.json', openApiText())
  })

  test('is valid OpenAPI 3.1 by an independent validator', async () => {
    const { stderr } = await promisify(execFile)(
      process.execPath,
      [redocly, 'lint', join('test', 'golden', 'openapi.json')],
      {
        cwd: root,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    )
    expect(stderr).toContain('Your API description is valid')
  }, 60_000)

  test('has every operation of the table, extensions marked', () => {
    const paths = openApiDocument().paths as Record<
      string,
      Record<string, { operationId: string; 'x-extension'?: true }>
    >
    const documented = Object.values(paths).flatMap((methods) => Object.values(methods))
    expect(documented.map((described) => described.operationId).sort()).toEqual(
      Object.keys(operations).sort(),
    )
    for (const described of documented) {
      const listed = operations[described.operationId as keyof typeof operations] as { extension?: true }
      expect(described['x-extension'] ?? false).toBe(listed.extension ?? false)
    }
  })
})
