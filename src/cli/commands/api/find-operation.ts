import type { Operation } from '../../../contract/operation.ts'
import { type OperationId, operations } from '../../../contract/operations.ts'
import { usage } from '../../base/cli-error.ts'
import { didYouMean } from '../../base/did-you-mean.ts'

/** The operation of a method and a path, with the path's parameters. */
export type Found = { id: OperationId; params: Record<string, string>; query: Record<string, string> }

const table = Object.entries(operations) as Array<[OperationId, Operation]>

/** The operation at a path, which may begin with /v1 and end with a query. Throws `usage` naming what is near. */
export function findOperation(method: string, given: string): Found {
  // A question mark may stand in a value too.
  const [path = '', ...search] = given.split('?')
  const words = path.replace(/^\/?(?:v1\/)?/, '').split('/')
  const here = table
    .filter(([, { path }]) => paramsOf(path, words) !== undefined)
    // The one with fewer parameters: /items/summary is not an item.
    .sort(([, a], [, b]) => Object.keys(a.params ?? {}).length - Object.keys(b.params ?? {}).length)
  const found = here.find(([, operation]) => operation.method === method)
  if (found === undefined) throw unknown(method, path, here)
  const params = paramsOf(found[1].path, words) ?? {}
  return { id: found[0], params, query: fieldsOf(new URLSearchParams(search.join('?'))) }
}

/** Fields by their names. Throws `usage` where one is given twice: of each there is one value. */
export function fieldsOf(given: Iterable<[string, string]>): Record<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of given) {
    if (fields.has(name)) throw usage(`${name} is given twice.`, 'Give it once.')
    fields.set(name, value)
  }
  return Object.fromEntries(fields)
}

/** The values of a path's parameters; undefined if the words do not match the path. */
function paramsOf(template: string, words: readonly string[]): Record<string, string> | undefined {
  const parts = template.slice(1).split('/')
  if (parts.length !== words.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, part] of parts.entries()) {
    const word = words[at] ?? ''
    if (part.startsWith('{') && word !== '') params[part.slice(1, -1)] = decoded(word)
    else if (part !== word) return undefined
  }
  return params
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    throw usage(`"${word}" in the path is not well encoded.`)
  }
}

function unknown(method: string, path: string, here: ReadonlyArray<[OperationId, Operation]>): Error {
  const see = 'See: custody openapi'
  if (here.length > 0) {
    const methods = here.map(([, operation]) => operation.method).join(', ')
    return usage(`${path} has no ${method}; it has ${methods}.`, see)
  }
  const paths = table.map(([, operation]) => operation.path)
  const hint = [didYouMean(path, paths, undefined), see].filter(Boolean).join(' ')
  return usage(`this version of custody knows no ${path}.`, hint)
}
