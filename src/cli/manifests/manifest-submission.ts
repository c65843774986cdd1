import { type Answer, type Client, ServiceError } from '../../client/client.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import type { Manifest, ManifestLine, ManifestWithLines } from '../../contract/resources/manifest.ts'
import { newUuid } from '../../runtime/runtime.ts'
import type { Session } from '../command.ts'
import { isReplayed } from '../connection/idempotency.ts'
import type { ImportOptions } from '../imports/import-options.ts'
import { repeatsOf, type SendHow } from '../imports/repeats.ts'

/** `created` is left out if the operation does not return it. */
export type Submitted = {
  manifest: Manifest
  created?: ManifestLine[]
  errors: CsvRowError[]
  /** It was submitted before. */
  isRepeated: boolean
}

type Submission = {
  reference: string
  content: string | Uint8Array
  options: ImportOptions
}

/** Throws `conflict` if the service has another manifest with this reference, in any status. */
export async function submitOnce(
  session: Session,
  { reference, content, options }: Submission,
  send: (client: Client, how: SendHow) => Promise<Submitted>,
): Promise<Submitted> {
  const target = await session.targetToWrite()
  const { keyOf, repeats, retries } = await repeatsOf(session, target, options)
  const sendAs = (idempotencyKey: string) => send(target.client, { idempotencyKey, repeats })
  try {
    const submitted = await sendAs(keyOf('manifest', content)).catch((error) => {
      // A stored conflict shows the manifest as it was. Under any key, the service skips what it has.
      const isStored = error instanceof ServiceError && isReplayed(error)
      if (isStored && retries && repeats) return sendAs(newUuid())
      throw error
    })
    return submitted.isRepeated ? await refreshed(target.client, submitted) : submitted
  } catch (error) {
    if (error instanceof ServiceError && error.extra.manifest_id !== undefined) {
      error.advice = await otherReference(target.client, reference)
    }
    throw error
  }
}

/** A stored result shows the manifest as it was, so its present state is read. */
async function refreshed(client: Client, submitted: Submitted): Promise<Submitted> {
  const { data } = await client.getManifest({ params: { manifest_id: submitted.manifest.id } })
  const { lines: _, ...manifest } = data as ManifestWithLines
  return { ...submitted, manifest }
}

export function isRepeated(answer: Answer<unknown>): boolean {
  return answer.headers['custody-repeated'] === 'true' || (isReplayed(answer) && !answer.isRepeat)
}

export async function otherReference(client: Client, reference: string): Promise<string> {
  const free = await freeReference(client, reference)
  return `Nothing was submitted. Submit only the new rows, under another reference${free && `, as ${free}`}.`
}

/** Appends a number, as in `BUY-1-2`; empty if none of the next few is free. */
async function freeReference(client: Client, reference: string): Promise<string> {
  for (let number = 2; number <= 20; number++) {
    const free = `${reference}-${number}`
    const { data } = await client.listManifests({ query: { reference: free, page_size: 1 } })
    if (data.total === 0) return free
  }
  return ''
}
