// undici describes its package only as a whole, so its files are described here.
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici'
}
declare module 'undici/lib/dispatcher/proxy-agent.js' {
  export { ProxyAgent as default } from 'undici'
}
declare module 'undici/lib/api/api-connect.js' {
  import type { Dispatcher } from 'undici'

  export default function connect(
    this: Dispatcher,
    options: Dispatcher.ConnectOptions,
  ): Promise<Dispatcher.ConnectData>
}
declare module 'undici/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici'

  export default function send(
    this: Dispatcher,
    options: Omit<Dispatcher.RequestOptions, 'body' | 'signal'> & {
      body: Iterable<Uint8Array> | null
      signal?: AbortSignal
    },
  ): Promise<Dispatcher.ResponseData>
}
