import type { Client } from '../../client/client.ts'
import { getWholeManifest } from '../../client/whole-manifest.ts'
import type { BodyInput } from '../../contract/operations.ts'
import type { Manifest, ManifestLine, ManifestWithLines } from '../../contract/resources/manifest.ts'
import { canAsk, confirm } from '../ask/confirm.ts'
import { CliError } from '../base/cli-error.ts'
import { counted } from '../base/counted.ts'
import { noticedTime } from '../base/times.ts'
import type { Session } from '../command.ts'
import { isPerhapsLacking } from '../connection/operation-support.ts'

export type NewManifest = BodyInput<'submitManifest'>

/**
 * Looks for open manifests with the reference of one that is about to be submitted. Answers one that says just the same: it is
 * this one. Else a second one is asked for on a terminal. Throws `conflict` where nobody can be asked, `interrupted` on no.
 */
export async function checkReference(
  session: Session,
  client: Client,
  manifest: NewManifest,
): Promise<ManifestWithLines | undefined> {
  const { reference } = manifest
  const { data } = await client.listManifests({ query: { reference } })
  const open = data.results.filter(({ status }) => status !== 'reconciled')
  const [newest] = open
  if (newest === undefined) return undefined
  for (const each of open) {
    const same = await sameAs(client, each, manifest)
    if (same) return same
  }
  const words = `${reference} is the reference of an open manifest already (${when(session, newest)}, ${counted(newest.line_count, 'line')})`
  if (canAsk(session)) {
    await confirm(session, `${words}. Submit another with it?`)
    return undefined
  }
  const free = await freeReference(client, reference)
  throw new CliError('conflict', `${words}; nothing was submitted.`, {
    hint: `Give another reference${free && `, as ${free}`}; --again submits a second one with the same.`,
  })
}

/** A reference that no manifest has, made from this one, such as `BUY-1-2`. Empty if none of the next few is free. */
export async function freeReference(client: Client, reference: string): Promise<string> {
  for (let number = 2; number <= 20; number++) {
    const free = `${reference}-${number}`
    const { data } = await client.listManifests({ query: { reference: free, page_size: 1 } })
    if (data.total === 0) return free
  }
  return ''
}

function when({ io }: Session, { created_at }: Manifest): string {
  return `submitted ${noticedTime(io, created_at)}`
}

async function sameAs(
  client: Client,
  there: Manifest,
  { source, expected_arrival_start, expected_arrival_end, lines }: NewManifest,
): Promise<ManifestWithLines | undefined> {
  const ours = [source, expected_arrival_start, expected_arrival_end].map((value) => value ?? null)
  const theirs = [there.source, there.expected_arrival_start, there.expected_arrival_end]
  const isAlike =
    lines.length === there.line_count && ours.every((value, at) => value === (theirs[at] ?? null))
  if (!isAlike) return undefined
  try {
    const whole = await getWholeManifest(client, there.id)
    return contentOf(whole.lines) === contentOf(lines) ? whole : undefined
  } catch (error) {
    if (await isPerhapsLacking(client, error)) return undefined
    throw error
  }
}

function contentOf(lines: ReadonlyArray<ManifestLine | NewManifest['lines'][number]>): string {
  return JSON.stringify(
    lines.map(({ external_ref, description, sku, grader, cert_number, quantity }) => [
      external_ref ?? null,
      description,
      sku ?? null,
      grader ?? null,
      cert_number ?? null,
      quantity ?? 1,
    ]),
  )
}
