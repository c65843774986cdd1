import { NetworkError, networkErrorOf } from '../../client/network-error.ts'
import type { ProxyServer } from '../../client/proxied.ts'
import { withTimeLimit } from '../../runtime/runtime.ts'
import { failureOf } from '../base/failure.ts'
import { type Check, failed } from './check.ts'

/** Asks /healthz, which is outside of version 1 (decisions 10). Undefined if it is well, or not offered. */
export async function checkHealth(
  baseUrl: string,
  ms: number,
  proxyServer?: ProxyServer,
): Promise<Check | undefined> {
  const address = new URL(`${baseUrl.replace(/\/v1$/, '')}/healthz`)
  const { origin, pathname: path } = address
  const { requestOnce } = await import('../../client/undici.ts')
  const proxy = proxyServer && (await import('../../client/proxied.ts')).throughProxy(proxyServer.address)
  return withTimeLimit(ms, async (signal) => {
    try {
      const request = { method: 'GET', path, headers: {}, body: null, signal }
      const { statusCode: status } = await requestOnce(origin, request, { bytesMax: 1024, proxy })
      if (status < 500) return undefined
      const detail = `${address} answers ${status}. See the log of the service and its database.`
      return { check: 'health', detail, ending: 'unreachable' }
    } catch (error) {
      const late = new NetworkError('timeout', `${address} did not answer within ${ms / 1000} s`)
      return failed('health', failureOf(signal.aborted ? late : networkErrorOf(error, origin)))
    }
  })
}
