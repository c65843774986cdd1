/** Every address of a name, IPv4 and IPv6; none where it does not resolve. `abort` ends the asking. */
export type HostResolver = (hostname: string, abort: AbortSignal) => Promise<readonly string[]>

const askMs = 2000
const tries = 2

/**
 * Asks the name servers themselves, the system's unless others are given. `dns.lookup` would ask by the system's resolver,
 * in one of four threads: a few names whose servers never answer would then hold up every other receiver's.
 */
export function createHostResolver(servers?: readonly string[]): HostResolver {
  return async (hostname, abort) => {
    if (abort.aborted) return []
    const { promises } = process.getBuiltinModule('node:dns')
    // A new resolver each time, so that nothing is cached.
    const resolver = new promises.Resolver({ timeout: askMs, tries })
    if (servers) resolver.setServers(servers)
    const cancel = (): void => resolver.cancel()
    abort.addEventListener('abort', cancel, { once: true })
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    abort.removeEventListener('abort', cancel)
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}
