import type { Transport } from '../../src/contract/call.ts'

let reach: ((apiKey: string) => Transport) | undefined

/** From now on the tool's connections lead here. */
export function leadTo(connect: (apiKey: string) => Transport): void {
  reach = connect
}

/** Replaces src/client/http-transport.ts. */
export function createHttpTransport({ apiKey }: { apiKey: string }): Transport {
  if (!reach) throw new Error('there is no network')
  return reach(apiKey)
}
