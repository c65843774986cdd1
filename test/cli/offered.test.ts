import { describe, expect, test } from 'vitest'
import { checkOffered } from '../../src/cli/connection/operation-support.ts'
import type { Call, Reply, Transport } from '../../src/contract/call.ts'
import type { OperationId } from '../../src/contract/operations.ts'

const notFound = '{"code":"not_found","message":"No such resource.","extra":{}}'

function serving(document: object | undefined): Transport {
  return async () => (document === undefined ? reply(404, notFound) : reply(200, JSON.stringify(document)))
}

function reply(status: number, body: string): Reply {
  return { status, headers: {}, body }
}

function call(operation: OperationId): Call {
  const body = async () => ({ kind: 'empty' as const })
  return { operation, params: {}, query: [], headers: {}, body, baseUrl: 'https://a.example/v1' }
}

const listing = { paths: { '/v1/manifests/{id}': { get: {} } } }

describe('a 404', () => {
  test.each<[string, OperationId, string, object | undefined, boolean]>([
    ['a resource of a listed operation', 'getItem', notFound, { paths: {} }, true],
    ['a listed operation that needs no resource', 'listItems', notFound, { paths: {} }, false],
    ['a listed operation, answered by another server', 'getItem', '<html>', undefined, false],
    ['an extension that the document lists', 'getManifest', notFound, listing, true],
    ['an extension that the document does not list', 'getManifestReport', notFound, listing, false],
    [
      'an extension whose path the document lists for another method',
      'getManifest',
      notFound,
      { paths: { '/manifests/{x}': { post: {} } } },
      false,
    ],
    ['an extension of a service without a document', 'getManifest', notFound, undefined, true],
    ['an extension, answered without an error object', 'getManifest', '{}', listing, false],
  ])('%s', async (_, id, body, document, isOffered) => {
    const checked = checkOffered(serving(document), call(id), reply(404, body), 'https://a.example/v1')
    if (isOffered) await expect(checked).resolves.toBe(undefined)
    else await expect(checked).rejects.toMatchObject({ name: 'CliError', ending: 'not_offered' })
  })
})
