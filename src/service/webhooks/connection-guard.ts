import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { isSameAddress } from '../../domain/webhooks/ip-address.ts'
import type { WebhookTarget } from '../../domain/webhooks/webhook-address.ts'
import { type AddressRule, publicAddressesOnly } from './address-rule.ts'
import { AttemptFault } from './attempt-fault.ts'
import { createHostResolver, type HostResolver } from './host-resolver.ts'

/** Opens the one connection of an attempt. Throws `AttemptFault` or the network's error; `abort` ends it. */
export type ConnectionGuard = (target: WebhookTarget, abort: AbortSignal) => Promise<TLSSocket>

/**
 * For tests alone, as an argument: no option, configuration file or environment variable leads here. `rule` lets a
 * loopback receiver through, `trusted` is its certificate, `resolve` answers its name.
 */
export type GuardAllowance = { rule?: AddressRule; trusted?: string; resolve?: HostResolver }

/**
 * The address rule at every connection (4.7), on the address actually dialled: a literal is judged before it is dialled;
 * of a name every address must be allowed, and those that were judged are the ones dialled; the peer is judged again
 * before the first byte is sent.
 */
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
  if (addresses.length === 0) throw new AttemptFault('The name of the host does not resolve.')
  if (!addresses.every(rule)) throw notAllowed()
  return addresses
}

function notAllowed(): AttemptFault {
  return new AttemptFault('The host leads to an address that is not allowed: it must be a public one.')
}

/** Connects to one of the addresses and nothing else: `lookup` answers those that were judged, whatever it is asked. */
function dial(target: WebhookTarget, addresses: readonly string[], abort: AbortSignal): Promise<Socket> {
  const net = process.getBuiltinModule('node:net')
  const judged = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  const socket = net.connect({
    host: target.address ?? target.hostname,
    port: target.port,
    autoSelectFamily: true,
    noDelay: true,
    lookup: (_hostname, { all }, answer) => {
      const [first] = judged
      if (all) answer(null, judged)
      else answer(null, first?.address ?? '', first?.family)
    },
  })
  return opened(socket, 'connect', abort)
}

/** The certificate is checked whatever the environment says about checking certificates. */
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
    // Not removed: the request reports a later error, which must not end the process.
    socket.on('error', reject)
    socket.once('close', () => reject(new AttemptFault('The connection was closed before an answer came.')))
  })
  return unlessAborted(ready, abort).catch((error) => {
    socket.destroy()
    throw error
  })
}

/** What was asked for, or the reason of the abort as soon as that comes. */
function unlessAborted<T>(asked: Promise<T>, abort: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(abort.reason)
    if (abort.aborted) stop()
    abort.addEventListener('abort', stop, { once: true })
    asked.then(resolve, reject).finally(() => abort.removeEventListener('abort', stop))
  })
}
