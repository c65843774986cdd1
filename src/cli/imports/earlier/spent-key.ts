import type { Client } from '../../../client/client.ts'
import { ServiceError } from '../../../client/service-error.ts'
import type { CsvColumns } from '../../../domain/csv/csv-header.ts'
import { isMismatch } from '../../connection/refuse-mismatch.ts'
import { namesKey } from '../../connection/unknown-outcome.ts'
import { csvLine } from '../../output/csv-text.ts'

/** What a kind of orders needs to be sent. */
export type OrderKind = {
  columns: CsvColumns
  send(client: Client, upload: { file: Uint8Array; idempotencyKey: string }): Promise<{ data: SentOrders }>
}
export type SentOrders = { created: ReadonlyArray<{ id?: string }>; errors: ReadonlyArray<{ row: number }> }

/**
 * Sends one row that can never be ordered with a chunk's key. True where the key is new: nothing was carried out with it, and it is
 * spent, so that nothing which is still on its way can be. False where orders were sent with it, or are just now.
 */
export async function isNewAndSpent(
  kind: OrderKind,
  client: Client,
  idempotencyKey: string,
): Promise<boolean> {
  try {
    const { data } = await kind.send(client, { file: impossible(kind), idempotencyKey })
    return data.created.length === 0
  } catch (error) {
    if (isOfKnownKey(error)) return false
    throw error
  }
}

function impossible({ columns }: OrderKind): Buffer {
  const header = ['qid', ...columns.required]
  return Buffer.from(csvLine(header) + csvLine(header.map((name) => (name === 'qid' ? 'NONE' : ''))))
}

/** The result is there, of another body; or the chunk was begun and cut off. */
function isOfKnownKey(error: unknown): boolean {
  if (isMismatch(error)) return true
  if (!(error instanceof ServiceError)) return false
  return error.status === 409 || (error.status === 400 && namesKey(error))
}
