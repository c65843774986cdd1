import { withoutSecrets } from '../../client/base-url.ts'
import type { ProxyServer } from '../../client/proxied.ts'
import { usage } from '../base/cli-error.ts'
import type { Io } from '../base/io.ts'
import { isLoopback } from './base-url.ts'

/** From HTTPS_PROXY or HTTP_PROXY, lower case first, unless NO_PROXY excludes the host. Throws `usage` unless it is http(s). */
export function proxyFor(env: Io['env'], address: string): ProxyServer | undefined {
  const isSecure = address.startsWith('https:')
  const names = isSecure ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY']
  const variable = names.find((name) => env[name])
  if (variable === undefined) return undefined
  const { hostname, port } = new URL(address)
  const except = env.no_proxy || env.NO_PROXY || ''
  if (isLoopback(hostname) || isExcepted(hostname, port || (isSecure ? '443' : '80'), except))
    return undefined
  const given = String(env[variable]).trim()
  const whole = given.includes('://') ? given : `http://${given}`
  if (isProxyAddress(whole)) return { address: whole, shown: withoutSecrets(whole), variable }
  throw usage(
    `${variable}: "${withoutSecrets(given)}" is not the http or https address of a proxy.`,
    'Write http://USER:PASSWORD@HOST:PORT. In the password, write @ as %40, / as %2F, and % as %25.',
  )
}

function isProxyAddress(text: string): boolean {
  try {
    const { protocol, username, password, pathname } = new URL(text)
    decodeURIComponent(username + password)
    return /^https?:$/.test(protocol) && pathname === '/'
  } catch {
    return false
  }
}

/** NO_PROXY, separated by commas: `*`, networks (10.0.0.0/8), or hosts, each with its subdomains and perhaps a port. */
function isExcepted(hostname: string, port: string, except: string): boolean {
  return except
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true
      if (entry.includes('/')) return isInNetwork(hostname, entry)
      const isBareIpv6 = /^[^[]*:.*:/.test(entry)
      const host = isBareIpv6 ? `[${entry}]` : entry
      const [, name = '', only] = /^(?:\*?\.)?(\[.*\]|[^:]*?)\.?(?::(\d+))?$/.exec(host) ?? []
      if (name === '' || (only !== undefined && only !== port)) return false
      return `.${hostname}`.replace(/\.$/, '').endsWith(`.${name}`)
    })
}

function isInNetwork(hostname: string, network: string): boolean {
  const { BlockList, isIP } = process.getBuiltinModule('node:net')
  const [address = '', bits = ''] = network.split('/')
  const host = hostname.replace(/^\[|\]$/g, '')
  const version = isIP(address)
  const most = version === 4 ? 32 : 128
  if (version === 0 || isIP(host) !== version || !/^\d{1,3}$/.test(bits) || Number(bits) > most) return false
  const family = version === 4 ? 'ipv4' : 'ipv6'
  const networks = new BlockList()
  networks.addSubnet(address, Number(bits), family)
  return networks.check(host, family)
}
