import { NetworkError } from '../../client/network-error.ts'
import { parsedJson, type Reply } from '../../contract/call.ts'
import { pathText } from '../../contract/json-scan.ts'
import { type OperationId, operation } from '../../contract/operations.ts'
import { pageOf } from '../../contract/page.ts'
import { valueAt } from '../output/columns.ts'

/** The first of the last answers without a value that its schema requires: the likely cause of an unexpected error. */
export function answerFault(answers: ReadonlyMap<OperationId, Reply>): NetworkError | undefined {
  for (const [id, { status, body }] of answers) {
    const { method, path, paged, response, success } = operation(id)
    if (response === undefined || status !== success) continue
    const data = parsedJson(body)
    const [issue] = (paged ? pageOf(response()) : response()).safeParse(data).error?.issues ?? []
    if (issue === undefined) continue
    const found = valueAt(data, issue.path.join('.'))
    const wrong = found === undefined ? 'lacks' : 'has a value that the interface does not allow in'
    const place = pathText(issue.path)
    const fault = new NetworkError('foreign', `The service's answer to ${method} ${path} ${wrong} "${place}"`)
    return Object.assign(fault, { advice: 'Report it to whoever runs the service.' })
  }
  return undefined
}
