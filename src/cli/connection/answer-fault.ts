import { NetworkError } from '../../client/network-error.ts'
import { parsedJson, type Reply } from '../../contract/call.ts'
import { pathText } from '../../contract/json-scan.ts'
import { type OperationId, operation } from '../../contract/operations.ts'
import { pageOf } from '../../contract/page.ts'

/** The first of the last answers without a value that its schema requires: the likely cause of an unexpected error. */
export function answerFault(answers: ReadonlyMap<OperationId, Reply>): NetworkError | undefined {
  for (const [id, { status, body }] of answers) {
    const { method, path, paged, response, success } = operation(id)
    if (response === undefined || status !== success) continue
    const data = parsedJson(body)
    const [issue] = (paged ? pageOf(response()) : response()).safeParse(data).error?.issues ?? []
    if (issue === undefined) continue
    const wrong = isThere(data, issue.path) ? 'has a value that the interface does not allow in' : 'lacks'
    const place = pathText(issue.path)
    const fault = new NetworkError('foreign', `The service's answer to ${method} ${path} ${wrong} "${place}"`)
    return Object.assign(fault, { advice: 'Report it to whoever runs the service.' })
  }
  return undefined
}

function isThere(data: unknown, path: readonly PropertyKey[]): boolean {
  const value = path.reduce<unknown>((within, key) => (within as Record<PropertyKey, unknown>)?.[key], data)
  return value !== undefined
}
