import { createHash } from 'node:crypto'
import type { Client } from '../../client/client.ts'
import { ServiceError } from '../../client/service-error.ts'
import type { BodyInput } from '../../contract/operations.ts'
import type { CsvRow } from '../../domain/csv-reading.ts'
import { manifestChecker } from '../../domain/manifest-csv.ts'
import { CliError } from '../cli-error.ts'
import type { Outcome } from '../command.ts'
import { parseJsonObject } from '../input-file.ts'
import type { Session } from '../session.ts'
import { manifestHead } from '../views/manifests.ts'
import { fingerprintOf, importKey } from './import-key.ts'
import type { ManifestOptions, Submitted } from './manifest-csv.ts'
import { replayedManifestNotice } from './manifest-report.ts'

type Body = BodyInput<'submitManifest'>

/** By its name, or by what it begins with where it has none. */
export function isJsonManifest(file: string, bytes: Buffer): boolean {
  return (
    /\.json$/i.test(file) || (file === '-' && bytes.subarray(0, 256).toString().trimStart().startsWith('{'))
  )
}

/** Submits the body of POST /manifests as a file has it; flags go over the file. */
export async function submitManifestJson(
  session: Session,
  file: string,
  bytes: Buffer,
  options: Partial<ManifestOptions>,
): Promise<Outcome> {
  const body = { ...parseJsonObject(bytes, file), ...givenFields(options) } as Body
  if (options.dryRun) {
    await checkBody(body, file)
    return session.notice(`${file} was checked; nothing was sent.`)
  }
  const { client, identity } = await session.targetToWrite()
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const given = JSON.stringify(givenFields(options))
  const fingerprint = fingerprintOf({ target: identity, endpoint: 'manifests', sha256, options: given })
  const { data, headers } = await client.submitManifest({
    body,
    idempotencyKey: importKey(fingerprint, options),
  })
  if (headers['idempotency-replayed'] === 'true') session.notice(replayedManifestNotice(data))
  await (await session.printer()).one(data, manifestHead)
}

/** Submits rows of a CSV file as JSON. Throws naming the file's rows where the service refuses lines. */
export async function submitAsJson(
  client: Client,
  header: readonly string[],
  rows: readonly CsvRow[],
  options: ManifestOptions,
  idempotencyKey: string,
): Promise<Submitted> {
  const lines = manifestChecker(header)(rows).accepted.map(({ value }) => value)
  const body = { ...givenFields(options), lines } as Body
  try {
    const { data, headers } = await client.submitManifest({ body, idempotencyKey })
    return { manifest: data, errors: [], isReplay: headers['idempotency-replayed'] === 'true' }
  } catch (error) {
    throw inRowsOfFile(error, rows)
  }
}

function givenFields({ reference, source, arrivesFrom, arrivesBy }: Partial<ManifestOptions>): Partial<Body> {
  return {
    ...(reference !== undefined && { reference }),
    ...(source !== undefined && { source: source as 'other' }),
    ...(arrivesFrom !== undefined && { expected_arrival_start: arrivesFrom }),
    ...(arrivesBy !== undefined && { expected_arrival_end: arrivesBy }),
  }
}

/** `lines[3].sku` is said of the row that the line comes from. */
function inRowsOfFile(error: unknown, rows: readonly CsvRow[]): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'validation_error') return error
  const fields = Object.entries((error.extra.fields ?? {}) as Record<string, string[]>).map(
    ([path, texts]) => {
      const [, index, field] = /^lines\[(\d+)\]\.?(.*)$/.exec(path) ?? []
      return [index === undefined ? path : `row ${rows[Number(index)]?.row} ${field}`, texts] as const
    },
  )
  return new CliError(
    'invalid',
    'The manifest was not submitted: with an arrival window it is all or nothing.',
    {
      hint: 'Correct these rows and submit again.',
      fields: Object.fromEntries(fields),
    },
  )
}

/** The same schema as the service's. Throws `invalid` naming every fault. */
async function checkBody(body: unknown, file: string): Promise<void> {
  const { manifestCreate } = await import('../../contract/resources/manifest.ts')
  const parsed = manifestCreate().safeParse(body)
  if (parsed.success) return
  const fields: Record<string, string[]> = {}
  for (const { path, message } of parsed.error.issues.slice(0, 100)) {
    const name = path.join('.') || 'body'
    fields[name] = [...(fields[name] ?? []), message]
  }
  throw new CliError('invalid', `${file} is not a manifest.`, { fields })
}
