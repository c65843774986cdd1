import { Argument } from 'commander'
import type { Client } from '../../client/client.ts'
import { fulfillmentStatuses, manifestStatuses, transferStatuses } from '../../contract/enums.ts'
import { own } from '../../contract/own.ts'
import { transferEdges } from '../../domain/fulfillments/fulfillment.ts'
import { fulfillmentEdges } from '../../domain/fulfillments/fulfillment-states.ts'
import { manifestEdges } from '../../domain/manifests/manifest.ts'
import { runtime, sleep } from '../../runtime/runtime.ts'
import { CliError, namesAmong } from '../base/cli-error.ts'
import { durationSeconds } from '../base/times.ts'
import type { LoneCommand, Outcome, Session } from '../command.ts'
import { findFulfillmentId, findManifestId, findTransferId } from '../find/find-by-reference.ts'
import { forEachNamed, idsOrReferences, namesFrom } from '../list/several.ts'
import { columnsOf, type View } from '../output/columns.ts'

type Options = { until: string; max: string }
type Waited = { id: string; status: string }

type Kind = {
  statuses: readonly string[]
  edges: ReadonlyArray<{ readonly from: string; readonly to: string }>
  find: (client: Client, name: string) => Promise<string>
  read: (client: Client, id: string) => Promise<Waited>
}

const kinds: Readonly<Record<string, Kind>> = {
  manifests: {
    statuses: manifestStatuses,
    edges: manifestEdges,
    find: findManifestId,
    read: async (client, manifest_id) =>
      (await client.getManifest({ params: { manifest_id }, query: { page_size: 1 } })).data,
  },
  fulfillments: {
    statuses: fulfillmentStatuses,
    edges: fulfillmentEdges,
    find: findFulfillmentId,
    read: async (client, fulfillment_id) =>
      (await client.getFulfillment({ params: { fulfillment_id } })).data,
  },
  transfers: {
    statuses: transferStatuses,
    edges: transferEdges,
    find: findTransferId,
    read: async (client, transfer_id) => (await client.getTransfer({ params: { transfer_id } })).data,
  },
}

const view: View = {
  columns: columnsOf<Waited & { name: string }>({ name: 'name', kind: 'id' }, 'status', {
    name: 'id',
    kind: 'id',
  }),
}

export const command: LoneCommand<[string, string[], Options]> = {
  details:
    'Exits 5 if the status can no longer be reached, or is not reached within --max. Waits for several one after another; exits 9 if some fail.',
  examples: [
    'wait manifests PO-7 --until reconciled --max 2h',
    'wait fulfillments WEB-20418 --until delivered --max 3d',
  ],
  define: (wait) =>
    wait
      .addArgument(new Argument('<kind>', 'What to wait for').choices(Object.keys(kinds)))
      .argument('<name...>', idsOrReferences)
      .requiredOption('--until <statuses>', 'Statuses to wait for, separated by commas')
      .option('--max <duration>', 'Give up after 90s, 15m, 2h, 3d', '1h'),
  view: () => view,
  run,
}

/** Milliseconds between two requests: short at first, for a script that has just caused the change. */
const firstMs = 500
const mostMs = 15_000

async function run(session: Session, word: string, given: string[], options: Options): Promise<Outcome> {
  const kind = own(kinds, word) as Kind
  const until: ReadonlySet<string> = new Set(namesAmong('--until', options.until, kind.statuses))
  const ms = durationSeconds(options.max, '--max') * 1000
  const named = await namesFrom(session, given)
  const { client } = await session.target()
  const ends = runtime.uptime() + ms
  return forEachNamed(session, named, async (name) => {
    const id = await kind.find(client, name)
    for (let pause = firstMs; ; pause = Math.min(pause * 1.5, mostMs)) {
      const { status } = await kind.read(client, id)
      if (until.has(status)) return { name, status, id }
      if (isTooLate(kind, status, until)) {
        const never = [...until].join(' or ')
        throw new CliError('conflict', `${name} is ${status}, and cannot become ${never} any more.`)
      }
      const left = ends - runtime.uptime()
      if (left <= 0)
        throw new CliError(
          'conflict',
          `${name} is still ${status ?? 'without a status'} after ${options.max}.`,
        )
      await sleep(Math.min(pause, left))
    }
  })
}

/** A status that this version does not know may still change. */
function isTooLate({ statuses, edges }: Kind, status: string, until: ReadonlySet<string>): boolean {
  const reached = new Set([status])
  for (const from of reached) for (const edge of edges) if (edge.from === from) reached.add(edge.to)
  return statuses.includes(status) && ![...until].some((wanted) => reached.has(wanted))
}
