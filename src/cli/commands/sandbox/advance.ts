import { Option } from 'commander'
import { type ItemStatus, itemStatuses } from '../../../contract/enums.ts'
import { usage } from '../../base/cli-error.ts'
import type { CommandFile, Session } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { type PageQuery, walkPages } from '../../connection/paging.ts'
import { addFilters, queriesFrom } from '../../find/filters.ts'
import { findManifestId } from '../../find/find-by-reference.ts'
import { forEachNamed, namesFrom } from '../../list/several.ts'
import { itemList } from '../../views/items.ts'

type Filters = { manifest?: string; sku?: string[]; status?: ItemStatus[] }
type Options = IdempotentOptions & Filters & { to: ItemStatus }

export const command: CommandFile<[string[], Options]> = {
  summary: 'Move items to a status, with the events that production would send',
  details:
    'Takes the shortest legal path and creates the fulfillments or transfers it needs. Name the items, or choose them with --manifest, --sku, and --status together.',
  examples: [
    'sandbox advance Q-7F3K-9M2P-X4TA --to available',
    'sandbox advance --manifest PO-1042 --status received --to available',
  ],
  define: (advance) => {
    idempotent(advance)
      .argument('[qid...]', 'QIDs; - for lines of stdin')
      .addOption(new Option('--to <status>', 'New status').choices(itemStatuses).makeOptionMandatory())
      .option('--manifest <manifest>', 'Only items of this manifest: its id or reference')
    addFilters(advance, 'listItems', (name) => name === 'sku' || name === 'status')
  },
  view: () => itemList,
  async run(session, given, options) {
    const { to, idempotencyKey, manifest, sku, status } = options
    const isChosen = [manifest, sku, status].some((filter) => filter !== undefined)
    if (isChosen === given.length > 0)
      throw usage('Name the items, or choose them with --manifest, --sku, and --status.')
    const named = isChosen
      ? { names: await chosen(session, options), isMany: true }
      : await namesFrom(session, given)
    const { client } = await session.targetToWrite()
    if (named.names.length === 0) session.notice('No items to move.')
    const body = { to_status: to }
    return forEachNamed(
      session,
      named,
      async (qid) => (await client.advanceItem({ params: { qid }, body, idempotencyKey })).data,
      true,
    )
  },
}

/** Omits items that already have the status. */
async function chosen(session: Session, { manifest, to, ...filters }: Options): Promise<string[]> {
  const { client } = await session.target()
  const manifestId = manifest === undefined ? undefined : await findManifestId(client, manifest)
  const { sku, status } = filters
  const qids = new Set<string>()
  for (const query of queriesFrom('listItems', { sku, status, manifestId }, session.io.now())) {
    const fetch = (page: PageQuery) => client.listItems({ query: { ...query, ...page } })
    for await (const { results } of walkPages({ fetch, keyOf: ({ qid }) => qid }))
      for (const item of results) if (item.status !== to) qids.add(item.qid)
  }
  return [...qids]
}
