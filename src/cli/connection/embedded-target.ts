import { createClient } from '../../client/client.ts'
import { ownAnswer } from '../../client/foreign-answer.ts'
import type { Transport } from '../../contract/call.ts'
import type { Environment } from '../../contract/enums.ts'
import { sha256 } from '../../domain/computing.ts'
import { isDatabaseAddress, shownPlace } from '../../domain/database-address.ts'
import { newUuid, runtime } from '../../runtime/runtime.ts'
import type { EmbeddedOptions } from '../../service/embedded.ts'
import { StoreError } from '../../store/database.ts'
import { CliError } from '../base/cli-error.ts'
import { embeddedBaseUrl } from '../base/embedded-base-url.ts'
import { systemFault } from '../base/system-fault.ts'
import { missingDataError, storeFailure } from './database-place.ts'
import type { EmbeddedSettings } from './target.ts'
import type { Target } from './target-type.ts'

/** `file` may also be a postgres:// address. */
export type Place = { file: string; partner: string; environment: Environment; busyMs?: number | undefined }

export function placeOf({ database, partner, environment }: EmbeddedSettings): Place {
  return { file: database.value, partner: partner.value, environment: environment.value }
}

export async function openTarget(
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
    // Not random: that would load node:crypto, which a plain list does not need.
    newRequestId: () => `${process.pid}-${++calls}`,
    log: ({ request_id, error }) => error !== undefined && faults.set(request_id, error),
  })
  const transport: Transport = async (call) => {
    const reply = await service.handle(call)
    // In process the real error is known, unlike behind the opaque answer of a service.
    const fault = reply.status >= 500 ? faults.get(reply.headers['x-request-id'] ?? '') : undefined
    if (fault !== undefined) throw inOwnWords(fault)
    return ownAnswer(reply)
  }
  return {
    client: createClient({
      transport: trace(transport),
      baseUrl: embeddedBaseUrl,
      newIdempotencyKey: newUuid,
    }),
    environment,
    holder: async () => ({ partner, environment }),
    label: `embedded database ${shownPlace(file)}`,
    get identity() {
      return sha256(`${scope.partner_id} ${environment}`).slice(0, 32)
    },
    isService: false,
    file: isDatabaseAddress(file) ? undefined : file,
    close,
  }
}

type Waiting = { clock: () => number; busyMs?: number | undefined }

/** Loads the database code on demand: commands that talk to a service do not need it. */
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
      errorIfMissing: (missing) => missingDataError(missing, file, options.partner),
      db,
      sources: { ...runtime, clock },
    })
  } catch (error) {
    // Open connections would keep the process from ending.
    await db.close().catch(() => {})
    throw error
  }
}

/** Throws errors of the disk or the database as `CliError`. */
export async function inWords<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    throw inOwnWords(error)
  }
}

function inOwnWords(error: unknown): unknown {
  if (error instanceof StoreError) return storeFailure(error)
  const fault = systemFault(error)
  if (fault === undefined) return error
  return new CliError('unreachable', `${fault.place} cannot be written: ${fault.text}.`, {
    hint: 'Name another database file with --database, or another folder for your sandbox with XDG_DATA_HOME.',
  })
}
