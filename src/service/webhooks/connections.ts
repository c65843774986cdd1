import type { Agent, ClientRequestArgs } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { invalid } from '../../domain/rejection.ts'
import type { WebhookTarget } from '../../domain/webhooks/webhook-address.ts'
import {
  isPublicAddress,
  isReservedName,
  isSameAddress,
  notPublic,
  webhookTarget,
  webhookUrlFault,
} from '../../domain/webhooks/webhook-address.ts'
import { inTime, runtime, type Timers } from '../../runtime/runtime.ts'
import { AttemptFault } from './attempt-recorder.ts'

export type Dialled = ClientRequestArgs & { target: WebhookTarget; abort: AbortSignal }

/** Milliseconds an idle connection is kept: less than receivers commonly do. */
const idleMs = 4_000
/** Maximum age of a reused connection, so that a receiver's change of address takes effect. */
const ageMs = 60_000
/** Idle connections per receiver: as many as one subscription has attempts at once. */
const idleMax = 8

/** The guard opens each new connection and checks its address; nothing else resolves a name or uses a proxy. */
export function createConnections(guard: ConnectionGuard): Agent {
  const { Agent } = process.getBuiltinModule('node:http')
  const made = new WeakMap<object, number>()
  const agent = new Agent({ keepAlive: true, timeout: idleMs, maxFreeSockets: idleMax })
  const keepSocketAlive = agent.keepSocketAlive.bind(agent)
  return Object.assign(agent, {
    createConnection(options: ClientRequestArgs, done: (error: Error | null, socket?: Socket) => void) {
      const { target, abort } = options as Dialled
      guard(target, abort).then((socket) => {
        made.set(socket, runtime.uptime())
        done(null, socket)
      }, done)
    },
    keepSocketAlive(socket: Socket): boolean {
      const isYoung = runtime.uptime() - (made.get(socket) ?? 0) < ageMs
      return isYoung && Boolean(keepSocketAlive(socket))
    },
  })
}

/** Throws `AttemptFault` or the network's error; `abort` ends it. */
export type ConnectionGuard = (target: WebhookTarget, abort: AbortSignal) => Promise<TLSSocket>

/** For tests only, as an argument: no option, configuration file or environment variable sets it. */
export type GuardAllowance = { rule?: AddressRule; trusted?: string; resolve?: HostResolver }

/** Checks all addresses of a name (4.7), dials only those, and checks the peer again before the first byte is sent. */
export function createConnectionGuard(allowance: GuardAllowance = {}): ConnectionGuard {
  const { rule = publicAddressesOnly(), resolve = createHostResolver(), trusted } = allowance
  return async (target, abort) => {
    const addresses = await allowedAddresses(target, rule, resolve, abort)
    const socket = await dial(target, addresses, abort)
    const peer = socket.remoteAddress ?? ''
    if (!rule(peer) || !addresses.some((address) => isSameAddress(address, peer))) {
      socket.destroy()
      throw notAllowed()
    }
    return secure(socket, target, trusted, abort)
  }
}

async function allowedAddresses(
  target: WebhookTarget,
  rule: AddressRule,
  resolve: HostResolver,
  abort: AbortSignal,
): Promise<readonly string[]> {
  const addresses =
    target.address === null ? await unlessAborted(resolve(target.hostname, abort), abort) : [target.address]
  if (addresses.length === 0) throw new AttemptFault('The host name does not resolve.')
  if (!addresses.every(rule)) throw notAllowed()
  return addresses
}

function notAllowed(): AttemptFault {
  return new AttemptFault('The host resolves to an address that is not allowed: it must be public.')
}

/** `lookup` always returns the checked addresses, so nothing else can be dialled. */
function dial(target: WebhookTarget, addresses: readonly string[], abort: AbortSignal): Promise<Socket> {
  const net = process.getBuiltinModule('node:net')
  const judged = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  const socket = net.connect({
    host: target.address ?? target.hostname,
    port: target.port,
    autoSelectFamily: true,
    noDelay: true,
    // Asked for all addresses, because of autoSelectFamily.
    lookup: (_hostname, _options, answer) => answer(null, judged),
  })
  return opened(socket, 'connect', abort)
}

/** Checks the certificate even if the environment disables such checks. */
function secure(
  socket: Socket,
  target: WebhookTarget,
  trusted: string | undefined,
  abort: AbortSignal,
): Promise<TLSSocket> {
  const tls = process.getBuiltinModule('node:tls')
  const secured = tls.connect({
    socket,
    host: target.hostname,
    ...(target.address === null && { servername: target.hostname }),
    ...(trusted !== undefined && { ca: trusted }),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
  })
  return opened(secured, 'secureConnect', abort)
}

function opened<T extends Socket>(socket: T, event: string, abort: AbortSignal): Promise<T> {
  const ready = new Promise<T>((resolve, reject) => {
    socket.once(event, () => resolve(socket))
    // Not removed: a later error, which the request reports, must not end the process.
    socket.on('error', reject)
    socket.once('close', () =>
      reject(new AttemptFault('The connection was closed before an answer arrived.')),
    )
  })
  return unlessAborted(ready, abort).catch((error) => {
    socket.destroy()
    throw error
  })
}

function unlessAborted<T>(asked: Promise<T>, abort: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(abort.reason)
    if (abort.aborted) stop()
    abort.addEventListener('abort', stop, { once: true })
    asked.then(resolve, reject).finally(() => abort.removeEventListener('abort', stop))
  })
}

type AddressRule = (address: string) => boolean

/** Public by the registries, and not an address of this machine (4.7). */
export function publicAddressesOnly(own: () => readonly string[] = ownAddresses): AddressRule {
  return (address) => isPublicAddress(address) && !own().some((mine) => isSameAddress(mine, address))
}

function ownAddresses(): string[] {
  const interfaces = process.getBuiltinModule('node:os').networkInterfaces()
  return Object.values(interfaces).flatMap((found) => (found ?? []).map(({ address }) => address))
}

/** IPv4 and IPv6 addresses; empty if the name does not resolve. */
export type HostResolver = (hostname: string, abort: AbortSignal) => Promise<readonly string[]>

const askMs = 2000
const attempts = 2

/** Queries the name servers directly: a few silent ones would block all four threads of `dns.lookup`. */
export function createHostResolver(servers?: readonly string[]): HostResolver {
  return async (hostname, abort) => {
    if (abort.aborted) return []
    const { promises } = process.getBuiltinModule('node:dns')
    // A new resolver each time, so that nothing is cached.
    const resolver = new promises.Resolver({ timeout: askMs, tries: attempts })
    if (servers) resolver.setServers(servers)
    const cancel = (): void => resolver.cancel()
    abort.addEventListener('abort', cancel, { once: true })
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    abort.removeEventListener('abort', cancel)
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

export type UrlCheck = { resolve: HostResolver; rule: AddressRule; timers: Timers }

const defaults: UrlCheck = { resolve: createHostResolver(), rule: publicAddressesOnly(), timers: runtime }
const patienceMs = 3000

/** The rule when a URL is set (4.7; part 7, rule 3). Accepts a name that does not resolve in time (decisions 11). */
export async function checkSubscriptionUrl(
  context: { urlCheck?: Partial<UrlCheck> },
  input: { body?: unknown },
): Promise<void> {
  const { url } = input.body as { url?: string }
  if (url === undefined) return
  const fault = webhookUrlFault(url) ?? (await addressFault(url, { ...defaults, ...context.urlCheck }))
  if (fault !== null) throw invalid({ url: [fault] })
}

async function addressFault(url: string, check: UrlCheck): Promise<string | null> {
  const { hostname, address } = webhookTarget(url)
  if (address !== null) return check.rule(address) ? null : notPublic
  if (isReservedName(hostname)) return null
  const addresses = await resolveInTime(hostname, check)
  return addresses.every(check.rule) ? null : notPublic
}

async function resolveInTime(hostname: string, { resolve, timers }: UrlCheck): Promise<readonly string[]> {
  const abort = new AbortController()
  return inTime(resolve(hostname, abort.signal), patienceMs, timers).catch(() => {
    abort.abort()
    return []
  })
}
