import type { Command } from 'commander'
import { Option } from 'commander'
import type { Environment } from '../../../contract/enums.ts'
import { environments } from '../../../contract/enums.ts'
import { closeGraceDaysDefault, dayMs, replayedMs, storedResultsDefault } from '../../../contract/limits.ts'
import { shownPlace } from '../../../domain/database-address.ts'
import { defaultSettings } from '../../../engine/settings.ts'
import { runtime } from '../../../runtime/runtime.ts'
import type { RunningServer } from '../../../service/http/server.ts'
import type { ServiceLog } from '../../../service/observe/log.ts'
import { openDatabase } from '../../../store/open.ts'
import { CliError, usage } from '../../base/cli-error.ts'
import { exitCodes } from '../../base/exit-codes.ts'
import type { CommandFile, Session } from '../../command.ts'
import { databaseOption, databasePlace, inWords } from '../../database/database.ts'
import {
  countriesOf,
  daysOf,
  isReadable,
  keyLimitsOf,
  portOf,
  publicUrlOf,
  rateOf,
  rateText,
  storedResultsOf,
} from './settings.ts'

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
  /** False for --no-compression. */
  compression: boolean
}

export const command: CommandFile<[Options]> = {
  summary: 'Run the HTTP service',
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
  run,
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
    'Work in progress for each key, or off (default: requests=16,waits=8,answers=64,uploads=64; the last two in MiB)',
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

async function run(session: Session, options: Options): Promise<void> {
  const settings = serverSettings(options)
  const { createLog } = await import('../../../service/observe/log.ts')
  const { startServer } = await import('../../../service/http/server.ts')
  const log = createLog()
  const place = databasePlace({ io: session.io, notice: log.info }, options)
  const db = await inWords(() => openDatabase(place, { serving: true, onUnprepared: log.warn }))
  try {
    const server = await inWords(() => startServer({ ...settings, db, log, sources: runtime }))
    // Once the service is announced, it may be told to stop at once.
    const asked = stopAsked()
    announce(session, server, options, { database: shownPlace(place), log })
    const signal = await asked
    log.info('stopping', { signal })
    if (!(await server.stop())) leave(log)
    log.info('stopped', { database: shownPlace(place) })
  } catch (error) {
    throw inListenWords(error, options)
  } finally {
    await db.close()
    log.flush()
  }
}

/** Does not wait for a database that does not answer, or for its connections. */
function leave(log: ServiceLog): never {
  log.warn(
    'stopped without waiting for the database, which did not answer; every acknowledged write is in it',
  )
  log.flush()
  process.exit(exitCodes.unreachable)
}

function serverSettings(options: Options) {
  const { environment, host, metricsHost } = options
  if (metricsHost !== undefined && options.metricsPort === undefined)
    throw usage('--metrics-host needs --metrics-port.', 'Add --metrics-port 9464.')
  return {
    environment,
    host,
    port: portOf(options.port, '--port'),
    publicUrl: publicUrlOf(options.publicUrl),
    rate: rateOf(options.rateLimit, environment),
    keyLimits: keyLimitsOf(options.keyLimits),
    compresses: options.compression,
    release: CUSTODY_VERSION,
    metricsPort:
      options.metricsPort === undefined ? undefined : portOf(options.metricsPort, '--metrics-port'),
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
  if (isReadable(host, publicUrl)) log.warn(readableWarning(host))
  log.flush()
  try {
    session.io.out.write(`Serving ${environment} at ${address}/v1\n`)
  } catch (error) {
    // If stdout is closed or the disk is full, the service runs without this line, as it does without its log.
    log.warn('the ready line cannot be written', { reason: (error as Error).message })
    log.flush()
  }
}

function readableWarning(host: string): string {
  return `listening on ${host} without TLS: API keys are sent unencrypted; put a TLS proxy in front, and accept connections from it only`
}

function inListenWords(error: unknown, { host, port, metricsPort }: Options): unknown {
  const { code, syscall, ...at } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return error
  const why = code === 'EADDRINUSE' ? 'the port is in use' : code === 'EACCES' ? 'not permitted' : code
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
