import { type Command, Option } from 'commander'
import { type Environment, environments } from '../../../contract/enums.ts'
import {
  closeGraceDaysDefault,
  dayMs,
  mebibyte,
  replayedMs,
  storedResultsDefault,
} from '../../../contract/limits.ts'
import { own } from '../../../contract/own.ts'
import { shownPlace } from '../../../domain/database-address.ts'
import { isCountryCode, upperCode } from '../../../domain/fulfillments/iso-countries.ts'
import type { Rate } from '../../../domain/token-bucket.ts'
import { defaultSettings } from '../../../engine/context.ts'
import { runtime } from '../../../runtime/runtime.ts'
import type { KeyLimits } from '../../../service/context.ts'
import type { RunningServer } from '../../../service/http/server.ts'
import { defaultRates } from '../../../service/limits/limiter.ts'
import { defaultKeyLimits } from '../../../service/limits/work-limits.ts'
import type { ServiceLog } from '../../../service/observe/log.ts'
import { openDatabase } from '../../../store/open.ts'
import { CliError, exitCodes, usage } from '../../base/cli-error.ts'
import { passwordWarning } from '../../base/rejected-secrets.ts'
import type { LoneCommand, Session } from '../../command.ts'
import { isLoopback } from '../../connection/base-url.ts'
import { databaseOption, databasePlace, inWords } from '../../database/database.ts'
import { wholeNumber } from '../../find/filters.ts'

const portMax = 65_535

type Options = {
  database?: string
  host: string
  port: string
  environment: Environment
  publicUrl?: string
  rateLimit?: string
  keyLimits?: string
  storedResultsMax?: string
  metricsPort?: string
  metricsHost?: string
  closeGraceDays?: string
  repeatsDays?: string
  countries?: string
  keepResultsDays?: string
  compression: boolean
}

export const command: LoneCommand<[Options]> = {
  details:
    'Prints one line on stdout once it is ready; its log is JSON lines on stderr. SIGTERM or SIGINT stops it: it takes no ' +
    'new work, finishes what is running, and requeues webhook deliveries. It does not speak TLS: beyond loopback, put a TLS ' +
    'proxy in front of it. Metrics need no key: let only your monitoring reach them.',
  examples: [
    'serve --database /var/lib/custody/custody.db',
    'serve --environment production --public-url https://custody.example.com',
    'serve --port 0 --rate-limit off',
  ],
  define,
  isOffline: true,
  isPlain: true,
  async run(session, options) {
    const settings = serverSettings(options)
    const { createLog } = await import('../../../service/observe/log.ts')
    const { startServer } = await import('../../../service/http/server.ts')
    const log = createLog()
    const warning = passwordWarning([options.database ?? ''])
    if (warning !== undefined) log.warn(warning)
    const place = databasePlace({ io: session.io, notice: log.info }, options)
    const db = await inWords(() => openDatabase(place, { serving: true, onUnprepared: log.warn }))
    try {
      const server = await inWords(() => startServer({ ...settings, db, log, sources: runtime }))
      // Once the service is announced, it may be told to stop at once.
      const asked = stopAsked()
      announce(session, server, options, { database: shownPlace(place), log })
      const signal = await asked
      log.info('stopping', { signal })
      if (!(await server.stop())) await leave(log)
      log.info('stopped', { database: shownPlace(place) })
    } catch (error) {
      throw inListenWords(error, options)
    } finally {
      await db.close()
      await log.end()
    }
  },
}

function define(serve: Command): void {
  databaseOption(serve)
  serve.option('--host <address>', 'Address to listen on (default: 127.0.0.1)', '127.0.0.1')
  serve.option('--port <n>', 'Port; 0 picks a free one (default: 8080)', '8080')
  serve.addOption(
    new Option('--environment <name>', 'Environment to serve (default: sandbox)')
      .choices(environments)
      .default('sandbox'),
  )
  serve.option('--public-url <url>', "The service's address for clients, used in page links")
  serve.option(
    '--rate-limit <rate>',
    `Requests a second for each key, as RATE[:BURST], or off (default: ${rateText('sandbox')}; production ${rateText('production')})`,
  )
  serve.option(
    '--key-limits <limits>',
    `Work in progress for each key, or off (default: ${keyLimitsText()}; the last two in MiB)`,
  )
  serve.option('--no-compression', 'Do not compress answers; for proxies that compress')
  serve.option('--metrics-port <n>', 'Serve Prometheus metrics on this port')
  serve.option('--metrics-host <address>', 'Address for metrics (default: 127.0.0.1)')
  serve.option(
    '--close-grace-days <n>',
    `Days until an overdue manifest closes automatically (default: ${closeGraceDaysDefault})`,
  )
  serve.option(
    '--countries <codes>',
    `Countries to ship to, separated by commas (default: ${defaultSettings.servedCountries.size} countries)`,
  )
  serve.option(
    '--repeats-days <n>',
    `Days for which an equal order without a reference counts as a repeat (default: ${defaultSettings.repeatsDays})`,
  )
  serve.option(
    '--keep-results-days <n>',
    `Days to remember an Idempotency-Key (default: ${replayedMs / dayMs})`,
  )
  serve.option(
    '--stored-results-max <n>',
    `Maximum stored results of a partner, or off (default: ${storedResultsDefault})`,
  )
}

/** Does not wait for a database that does not answer, or for its connections. */
async function leave(log: ServiceLog): Promise<never> {
  log.warn(
    'stopped without waiting for the database, which did not answer; every acknowledged write is in it',
  )
  await log.end()
  process.exit(exitCodes.unreachable)
}

function serverSettings(options: Options) {
  const { environment, host, metricsHost } = options
  if (metricsHost !== undefined && options.metricsPort === undefined)
    throw usage('--metrics-host needs --metrics-port.', 'Add --metrics-port 9464.')
  return {
    environment,
    host,
    port: wholeNumber(options.port, '--port', 0, portMax),
    publicUrl: publicUrlOf(options.publicUrl),
    rate: rateOf(options.rateLimit, environment),
    keyLimits: keyLimitsOf(options.keyLimits),
    compresses: options.compression,
    release: CUSTODY_VERSION,
    metricsPort:
      options.metricsPort === undefined
        ? undefined
        : wholeNumber(options.metricsPort, '--metrics-port', 0, portMax),
    metricsHost,
    idempotencyMs: daysOf(options.keepResultsDays, '--keep-results-days', replayedMs / dayMs, 1) * dayMs,
    storedResultsMax: storedResultsOf(options.storedResultsMax),
    settings: {
      servedCountries: countriesOf(options.countries) ?? defaultSettings.servedCountries,
      closeGraceDays: daysOf(options.closeGraceDays, '--close-grace-days', defaultSettings.closeGraceDays, 0),
      repeatsDays: daysOf(options.repeatsDays, '--repeats-days', defaultSettings.repeatsDays, 1),
    },
  }
}

function announce(
  session: Session,
  server: RunningServer,
  options: Options,
  { database, log }: { database: string; log: ServiceLog },
): void {
  const { address, metricsAddress } = server
  const { environment, host, publicUrl } = options
  log.info('ready', { address, environment, database, ...(metricsAddress && { metrics: metricsAddress }) })
  if (isReadable(host, publicUrl))
    log.warn(
      `listening on ${host} without TLS: API keys are sent unencrypted; put a TLS proxy in front, and accept connections from it only`,
    )
  log.flush()
  try {
    session.io.out.write(`Serving ${environment} at ${address}/v1\n`)
  } catch (error) {
    // If stdout is closed or the disk is full, the service runs without this line, as it does without its log.
    log.warn('the ready line cannot be written', { reason: (error as Error).message })
    log.flush()
  }
}

const listenFaults: Record<string, string> = {
  EACCES: 'not permitted',
  EADDRINUSE: 'the port is in use',
  EADDRNOTAVAIL: 'the address does not belong to this machine',
  ENOTFOUND: 'the host cannot be found',
}

function inListenWords(error: unknown, { host, port, metricsPort }: Options): unknown {
  const { code, syscall, ...at } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return error
  const why = own(listenFaults, code ?? '') ?? code
  const message = `Cannot listen on ${at.address ?? host} port ${at.port ?? port}: ${why}.`
  const flag = at.port === Number(metricsPort) ? '--metrics-port' : '--port'
  const flags = flag === '--port' ? '--host and --port' : flag
  return new CliError('unreachable', message, {
    hint: `Choose another with ${flags}; ${flag} 0 picks a free one.`,
  })
}

function stopAsked(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isAsked = false
    const ask = (signal: NodeJS.Signals): void => {
      if (isAsked) process.exit(130)
      isAsked = true
      resolve(signal)
    }
    process.on('SIGTERM', ask)
    process.on('SIGINT', ask)
  })
}

function rateText(environment: Environment): string {
  const { rate_per_s, burst } = defaultRates[environment]
  return `${rate_per_s}:${burst}`
}

/** `RATE[:BURST]`, in requests per second and key; the default burst is twice the rate. Undefined for `off`. Throws `usage`. */
function rateOf(text: string | undefined, environment: Environment): Rate | undefined {
  if (text === undefined) return defaultRates[environment]
  if (text === 'off') return undefined
  const [, rate, burst] = /^(\d{1,6}(?:\.\d{1,3})?)(?::(\d{1,7}))?$/.exec(text) ?? []
  const rate_per_s = Number(rate)
  const size = burst === undefined ? Math.max(1, Math.ceil(rate_per_s * 2)) : Number(burst)
  if (!(rate_per_s > 0 && size >= 1)) {
    throw usage(`--rate-limit: "${text}" is not a rate.`, 'Give 25, 25:50 (rate and burst), or off.')
  }
  return { rate_per_s, burst: size }
}

const limitKinds: Record<string, { kind: keyof KeyLimits; unit: number }> = {
  requests: { kind: 'requests', unit: 1 },
  waits: { kind: 'waits', unit: 1 },
  answers: { kind: 'answerBytes', unit: mebibyte },
  uploads: { kind: 'uploadBytes', unit: mebibyte },
}

function keyLimitsText(): string {
  const defaults = Object.entries(limitKinds)
  return defaults.map(([name, { kind, unit }]) => `${name}=${defaultKeyLimits[kind] / unit}`).join(',')
}

/** For one key. Limits that are not named keep their defaults; `off` means none. Throws `usage`. */
export function keyLimitsOf(text: string | undefined): KeyLimits | undefined {
  if (text === 'off') return undefined
  const limits = { ...defaultKeyLimits }
  for (const part of text?.split(',') ?? []) {
    const [, name = '', number] = /^([a-z]+)=([1-9]\d{0,5})$/.exec(part.trim()) ?? []
    const found = own(limitKinds, name)
    if (!found) {
      throw usage(
        `--key-limits: "${part}" is not a limit.`,
        `Give ${keyLimitsText()} or some of them, or off.`,
      )
    }
    limits[found.kind] = Number(number) * found.unit
  }
  return limits
}

export function storedResultsOf(text: string | undefined): number | undefined {
  if (text === undefined) return storedResultsDefault
  return text === 'off' ? undefined : wholeNumber(text, '--stored-results-max', 1)
}

function daysOf(text: string | undefined, flag: string, otherwise: number, least: number): number {
  return text === undefined ? otherwise : wholeNumber(text, flag, least, 9999)
}

function publicUrlOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash
  if (!isPlain)
    throw usage(`--public-url: "${text}" is not an address.`, 'Give it as https://custody.example.com')
  return text
}

/** A public https address implies a proxy with TLS, as in front of a container, which listens on every address. */
export function isReadable(host: string, publicUrl: string | undefined): boolean {
  return !isLoopback(host) && !/^https:/i.test(publicUrl ?? '')
}

function countriesOf(text: string | undefined): ReadonlySet<string> | undefined {
  if (text === undefined) return undefined
  const codes = text.split(',').map(upperCode)
  const wrong = codes.find((code) => !isCountryCode(code))
  if (wrong !== undefined)
    throw usage(`--countries: "${wrong}" is not a country code.`, 'Give codes such as US,CA,DE.')
  return new Set(codes)
}
