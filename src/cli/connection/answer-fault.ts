import { NetworkError } from '../../client/network-error.ts'
import { parsedJson, type Reply } from '../../contract/call.ts'
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
    const [place, isThere] = placed(data, issue.path)
    const wrong = isThere ? 'has a value that the interface does not allow in' : 'lacks'
    const fault = new NetworkError('foreign', `The service's answer to ${method} ${path} ${wrong} "${place}"`)
    return Object.assign(fault, { advice: 'Report it to whoever runs the service.' })
  }
  return undefined
}

function placed(data: unknown, path: readonly PropertyKey[]): [string, boolean] {
  const value = path.reduce<unknown>((within, key) => (within as Record<PropertyKey, unknown>)?.[key], data)
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return [place.replace(/^\./, ''), value !== undefined]
}
