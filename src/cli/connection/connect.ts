import { existsSync, linkSync } from 'node:fs'
import { dirname } from 'node:path'
import { createClient } from '../../client/client.ts'
import type { Transport } from '../../contract/call.ts'
import type { Environment } from '../../contract/enums.ts'
import { isDatabaseAddress, shownPlace } from '../../domain/database-address.ts'
import { newUuid } from '../../runtime/identifiers.ts'
import { runtime } from '../../runtime/runtime.ts'
import type { EmbeddedOptions } from '../../service/embedded.ts'
import { StoreError } from '../../store/database.ts'
import { CliError } from '../base/cli-error.ts'
import { sha256 } from '../base/crypto.ts'
import { withDraft } from '../base/drafts.ts'
import { makeFolder, moveFile, syncFolder } from '../base/durable-file.ts'
import { embeddedBaseUrl } from '../base/embedded-base-url.ts'
import type { Io } from '../base/io.ts'
import { systemFault } from '../base/system-fault.ts'
import { spanSeconds } from '../base/times.ts'
import { absence, noSuchFile, noTarget } from './missing-data-error.ts'
import { sandboxPartner } from './profiles.ts'
import { refuseMismatch } from './refuse-mismatch.ts'
import type { EmbeddedSettings, TargetOptions } from './target.ts'
import { targetSettings } from './target-settings.ts'
import type { Target } from './target-type.ts'
import { traced } from './trace.ts'

type ConnectOptions = TargetOptions & { debug?: boolean }

/** An embedded database, a file or a postgres:// address, as one partner in one environment. */
type Place = { file: string; partner: string; environment: Environment; busyMs?: number | undefined }

/** What a target is wanted for, where it is a file that is not there: it is made `empty`, or with `samples`; else not at all. */
export type MakeNew = 'empty' | 'samples' | undefined

/**
 * Reaches the target that flags, environment and profiles name; the composition root. The user's own sandbox is made and
 * filled on first use where somebody sees it; a file that is named is made only to be written to. Throws `CliError` where it
 * cannot be used, or where what an address names has no data of ours.
 */
export async function connect(
  io: Io,
  options: ConnectOptions,
  notice: (text: string) => void,
  makeNew?: MakeNew,
): Promise<Target> {
  const settings = targetSettings(io, options)
  const trace = options.debug ? traced(io) : undefined
  if (settings.kind === 'service') {
    const { connectService } = await import('./connect-service.ts')
    return connectService(io, settings, { trace, maxWait: options.maxWait, notice })
  }
  const place = placeOf(settings)
  return inWords(async () => {
    if (isAbsent(place)) await makeDatabase(place, isFilled(io, settings, options, makeNew), notice)
    else if (isOwn(settings) && isUnseen(io))
      notice(`No target is named: this is your own sandbox, ${place.file}`)
    return openTarget({ ...place, busyMs: busyMs(options) }, () => io.now(), trace)
  })
}

/** Whether a new database gets the sample data. Throws where it is not to be made: data are never invented unseen. */
function isFilled(io: Io, settings: EmbeddedSettings, { seed }: ConnectOptions, makeNew: MakeNew): boolean {
  if (makeNew === 'samples') return true
  if (isOwn(settings) && isUnseen(io)) throw noTarget()
  if (isOwn(settings)) return seed !== false
  if (makeNew === undefined && seed !== false) throw noSuchFile(settings)
  return false
}

/** Nothing names a target. */
function isOwn({ database }: EmbeddedSettings): boolean {
  return database.source === 'default'
}

function isUnseen({ stdin, out, err }: Io): boolean {
  return !stdin.isTerminal && !out.isTerminal && !err.isTerminal
}

/** A database at an address is somebody's to make; a file is made at once. */
function isAbsent({ file }: Place): boolean {
  return !isDatabaseAddress(file) && !existsSync(file)
}

/** How long to wait for another process that has the database locked, where --max-wait says so. */
function busyMs({ maxWait }: ConnectOptions): number | undefined {
  return maxWait === undefined ? undefined : spanSeconds(maxWait, '--max-wait') * 1000
}

function placeOf({ database, partner, environment }: EmbeddedSettings): Place {
  return { file: database.value, partner: partner.value, environment: environment.value }
}

/** Throws `conflict` where a database is not an embedded sandbox that may be thrown away. */
export async function checkDisposable(settings: EmbeddedSettings): Promise<void> {
  await inWords(() => checkIsAlone(placeOf(settings)))
}

/** Throws away an embedded sandbox and makes it anew. Throws where it is in use or holds other partners' data. */
export async function resetDatabase(
  settings: EmbeddedSettings,
  options: ConnectOptions,
  notice: (text: string) => void,
): Promise<void> {
  const place = placeOf(settings)
  await inWords(async () => {
    await checkIsAlone(place)
    await makeDatabase(place, options.seed !== false, notice, async (draft) => {
      // Once more: making it took its time.
      await checkIsAlone(place)
      moveFile(draft, place.file)
      return true
    })
  })
}

/** Made aside and put in place whole: whoever dies half-way, or makes it at the same time, leaves no half database. */
async function makeDatabase(
  place: Place,
  isFilled: boolean,
  notice: (text: string) => void,
  putInPlace: (draft: string) => Promise<boolean> = (draft) => putInEmptyPlace(draft, place.file),
): Promise<void> {
  const { file, environment } = place
  const isSeeded = isFilled && environment === 'sandbox'
  makeFolder(dirname(file))
  await withDraft(file, 'new', async (draft) => {
    const seeding = isSeeded ? await import('../seed/seed.ts') : undefined
    const now = runtime.clock()
    const time = { now: seeding === undefined ? now : seeding.beforeSeed(now) }
    const target = await openTarget({ ...place, file: draft }, () => time.now)
    await seeding?.seed(target.client, (past) => {
      time.now = past
    })
    await target.close()
    refuseUnfinished(draft, file)
    const isOurs = await putInPlace(draft)
    if (isOurs) notice(`Made ${madeText(place)} ${isSeeded ? 'with' : 'without'} sample data: ${file}`)
  })
}

/** What did not come out of its log into the file, as on a disk without room, would stay behind. */
function refuseUnfinished(draft: string, file: string): void {
  if (!existsSync(`${draft}-wal`)) return
  throw new CliError('unreachable', `${file} could not be made: the disk has no room for it.`, {
    hint: 'Free some space, or name another database file with --database.',
  })
}

function madeText({ partner, environment }: Place): string {
  const isOrdinary = partner === sandboxPartner && environment === 'sandbox'
  return isOrdinary ? 'a sandbox' : `a database of ${partner} (${environment})`
}

/** False when another process was first: then its database counts. */
async function putInEmptyPlace(draft: string, file: string): Promise<boolean> {
  const { refuseLeftovers } = await import('../../store/sqlite/sqlite-file.ts')
  refuseLeftovers(file)
  try {
    linkSync(draft, file)
    syncFolder(dirname(file))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    // Some file systems have no hard links.
    moveFile(draft, file)
    return true
  }
}

async function openTarget(
  { file, partner, environment, busyMs }: Place,
  clock: () => number,
  trace: (transport: Transport) => Transport = (transport) => transport,
): Promise<Target> {
  const faults = new Map<string, unknown>()
  let calls = 0
  const { service, scope, close } = await openFile(file, {
    busyMs,
    partner,
    environment,
    clock,
    // Chance would load node:crypto, which a plain list has no other use for.
    newRequestId: () => `${process.pid}-${++calls}`,
    log: ({ request_id, error }) => error !== undefined && faults.set(request_id, error),
  })
  const transport: Transport = async (call) => {
    const reply = await service.handle(call)
    // In process there is more to say than the opaque answer of a service.
    const fault = reply.status >= 500 ? faults.get(reply.headers['x-request-id'] ?? '') : undefined
    if (fault !== undefined) throw inOwnWords(fault)
    refuseMismatch(reply)
    return reply
  }
  return {
    client: createClient({
      transport: trace(transport),
      baseUrl: embeddedBaseUrl,
      newIdempotencyKey: newUuid,
    }),
    environment,
    partner,
    label: `embedded database ${shownPlace(file)}`,
    get identity() {
      return sha256(`${scope.partner_id} ${environment}`, 32)
    },
    keyMark: undefined,
    file: isDatabaseAddress(file) ? undefined : file,
    close,
  }
}

type Waiting = { clock: () => number; busyMs?: number | undefined }

/** Loaded here: a command that talks to a service needs none of it. */
async function openFile(
  file: string,
  { clock, busyMs, ...options }: Omit<EmbeddedOptions, 'db' | 'sources'> & Waiting,
) {
  const { openEmbedded } = await import('../../service/embedded.ts')
  const { openDatabase } = await import('../../store/open.ts')
  const db = await openDatabase(file, busyMs === undefined ? {} : { busyMs })
  try {
    return await openEmbedded({
      ...options,
      ...(isDatabaseAddress(file) && { absence: (missing) => absence(missing, file, options.partner) }),
      db,
      sources: { ...runtime, clock },
    })
  } catch (error) {
    // Open connections would keep the process from ending.
    await db.close().catch(() => {})
    throw error
  }
}

/** A database that somebody else has open keeps its write-ahead log when we close it. */
async function checkIsAlone({ file, partner, environment }: Place): Promise<void> {
  if (environment !== 'sandbox' || isDatabaseAddress(file))
    throw new CliError('conflict', `${shownPlace(file)} is no sandbox of yours alone; it is not thrown away.`)
  if (!existsSync(file)) return
  const { db, close } = await openFile(file, { partner, environment, clock: runtime.clock })
  const { listScopes } = await import('../../store/tables/scopes.ts')
  const scopes = await db.read(listScopes)
  await close()
  if (scopes.length > 1) {
    throw new CliError('conflict', `${file} holds more than the sandbox; it is not thrown away.`)
  }
  if (existsSync(`${file}-wal`)) {
    throw new CliError('conflict', `${file} is open in another process.`, {
      hint: 'Stop that process first.',
    })
  }
}

async function inWords<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    throw inOwnWords(error)
  }
}

function inOwnWords(error: unknown): unknown {
  if (error instanceof StoreError) return new CliError('unreachable', error.message)
  const fault = systemFault(error)
  if (fault === undefined) return error
  return new CliError('unreachable', `${fault.place} cannot be written: ${fault.text}.`, {
    hint: 'Name another database file with --database, or another folder for your own with XDG_DATA_HOME.',
  })
}
