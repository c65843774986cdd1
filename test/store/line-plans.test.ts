import { expect, test } from 'vitest'
import { inScope, type ScopedTx, type Sql, sql, type Tx, transactionOver } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { listDocs } from '../../src/store/tables/documents.ts'
import { fulfillmentFilters } from '../../src/store/tables/fulfillments.ts'
import { countIntakes, listIntakeDocs, listUnexpectedIntakes } from '../../src/store/tables/intakes.ts'
import { findFewItems, gatherItems } from '../../src/store/tables/item-lists.ts'
import { listByCert, listOfPartners } from '../../src/store/tables/items.ts'
import {
  findLines,
  findOpenPhrases,
  findProgress,
  listOpenOf,
  listOpenPlaces,
} from '../../src/store/tables/manifest-lines.ts'
import { findOfAnyPartner, findOverdue, manifestFilters } from '../../src/store/tables/manifests.ts'
import { findPhrasePlaces, listPhrases } from '../../src/store/tables/phrases.ts'

const place = { manifest_id: '', line_no: 0 }
const range = { from: 1, to: 9 }
const environment = 'sandbox'
const page = { limit: 25, offset: 0 }

// Without statistics SQLite considers all keys equal, and would walk every row of a scope.
test.each<[string, (tx: ScopedTx) => Promise<unknown>, string]>([
  [
    'open lines by certificate',
    (tx) => listOpenPlaces(tx, 'cert_key', 'x', { after: place, limit: 4 }),
    'manifest_lines_open_by_cert (scope_id=? AND cert_key=?',
  ],
  [
    'open lines by SKU',
    (tx) => listOpenPlaces(tx, 'sku', 'x', { after: place, limit: 4 }),
    'manifest_lines_open_by_sku (scope_id=? AND sku=?',
  ],
  [
    'open lines by phrase',
    (tx) => listOpenPlaces(tx, 'phrase_key', 'x', { after: place, limit: 4 }),
    'manifest_lines_open_by_phrase (scope_id=? AND phrase_key=?',
  ],
  [
    'open phrases',
    (tx) => findOpenPhrases(tx, ['x', 'y']),
    'manifest_lines_open_by_phrase (scope_id=? AND phrase_key=?)',
  ],
  ['open phrases, each until one line is found', (tx) => findOpenPhrases(tx, ['x']), 'SCAN asked'],
  [
    'phrases of inserted lines',
    (tx) => findPhrasePlaces(tx, ['x', 'y']),
    'phrases_by_key (scope_id=? AND phrase_key=?)',
  ],
  ['named lines', (tx) => findLines(tx, 'm', ['x', 'y']), 'manifest_lines_by_id (scope_id=? AND id=?)'],
  [
    'lines that may have advanced',
    (tx) => findProgress(tx, ['x', 'y']),
    'manifest_lines_by_id (scope_id=? AND id=?)',
  ],
  [
    'phrases with a word',
    (tx) => listPhrases(tx, { word: 'x', least: 1, most: 3, limit: 9 }),
    'PRIMARY KEY (scope_id=? AND word=? AND word_count>? AND word_count<?)',
  ],
  [
    'manifests by status',
    (tx) => listDocs(tx, 'manifests', manifestFilters, { status: 'receiving' }, page),
    'manifests_by_status (scope_id=? AND status=?)',
  ],
  [
    'manifests by reference',
    (tx) => listDocs(tx, 'manifests', manifestFilters, { reference: 'x' }, { limit: 25, offset: 0 }),
    'manifests_by_reference (scope_id=? AND reference=?',
  ],
  [
    'manifests by status and reference',
    (tx) => listDocs(tx, 'manifests', manifestFilters, { reference: 'x', status: 'receiving' }, page),
    'manifests_by_reference (scope_id=? AND reference=?',
  ],
  [
    'due manifests',
    (tx) => findOverdue(tx, '2026-05-01'),
    'manifests_due (scope_id=? AND expected_arrival_end<?)',
  ],
  [
    'intakes of a manifest',
    (tx) => listIntakeDocs(tx, { ...range, manifest_id: 'x' }, 25, 0),
    'intakes_by_manifest (scope_id=? AND manifest_id=? AND intake_no>? AND intake_no<?)',
  ],
  [
    'intakes of a certificate',
    (tx) => listIntakeDocs(tx, { ...range, cert_number: 'x' }, 25, 0),
    'intakes_by_cert (scope_id=? AND cert_number=? AND intake_no>? AND intake_no<?)',
  ],
  [
    "intakes of a certificate's address",
    (tx) => listIntakeDocs(tx, { ...range, cert_number: 'psacard.com/cert/1' }, 25, 0),
    'intakes_by_cert (scope_id=? AND cert_number=?',
  ],
  [
    "items of the graders of a certificate's address",
    (tx) => listIntakeDocs(tx, { ...range, cert_number: 'PSA 48201934' }, 25, 0),
    'items_by_cert_key (scope_id=? AND cert_key=?)',
  ],
  [
    'items of all partners by certificate',
    (tx) => listOfPartners(tx, environment, 'cert_key', ['x', 'y']),
    'SEARCH k USING COVERING INDEX items_by_cert_key (scope_id=? AND cert_key=?)',
  ],
  [
    'items of all partners by QID',
    (tx) => listOfPartners(tx, environment, 'qid', ['x', 'y']),
    'SEARCH k USING INDEX sqlite_autoindex_items_1 (scope_id=? AND qid=?)',
  ],
  [
    'items of all partners by many certificates, in one walk over all,',
    (tx) => listOfPartners(tx, environment, 'cert_key', Array(1_000).fill('x')),
    'SCAN k USING COVERING INDEX items_by_cert_key',
  ],
  [
    'open lines of other partners by certificate',
    (tx) => listOpenOf(tx, { environment, whose: 'others', by: 'cert_key', key: 'x', limit: 4 }),
    'manifest_lines_open_by_cert (scope_id=? AND cert_key=?',
  ],
  [
    'open lines of other partners by SKU',
    (tx) => listOpenOf(tx, { environment, whose: 'others', by: 'sku', key: 'x', limit: 4 }),
    'manifest_lines_open_by_sku (scope_id=? AND sku=?',
  ],
  [
    'the manifest of any partner',
    (tx) => findOfAnyPartner(tx, environment, 'x'),
    'SEARCH m USING PRIMARY KEY (scope_id=? AND id=?)',
  ],
  [
    'items by certificate, in any status',
    (tx) => listByCert(tx, ['x', 'y'], 3),
    'items_by_cert_key (scope_id=? AND cert_key=?)',
  ],
  [
    'items of a certificate',
    async (tx) => {
      const found = await findFewItems(tx, { cert_number: { key: 'x', graders: ['PSA'] } })
      return found && gatherItems(tx, found, { by: 'intake_at', dir: 'asc' }, { limit: 25, offset: 0 })
    },
    'items_by_cert_key (scope_id=? AND cert_key=?)',
  ],
  [
    'intakes of a manifest and a certificate',
    (tx) => countIntakes(tx, { ...range, cert_number: 'x', manifest_id: 'y' }),
    'intakes_by_cert (scope_id=? AND cert_number=? AND intake_no>? AND intake_no<?)',
  ],
  [
    'unexpected intakes',
    (tx) => listUnexpectedIntakes(tx, 'x', 25, 0),
    'intakes_unexpected (scope_id=? AND manifest_id=?)',
  ],
  [
    'fulfillments of several references',
    (tx) => listDocs(tx, 'fulfillments', fulfillmentFilters, { external_refs: '["x","y"]' }, page),
    'fulfillments_by_ref_status (scope_id=? AND external_ref=?)',
  ],
  [
    'fulfillments of a reference with two Unicode forms',
    (tx) => listDocs(tx, 'fulfillments', fulfillmentFilters, { external_ref: 'é' }, page),
    'fulfillments_by_ref_status (scope_id=? AND external_ref=?)',
  ],
  [
    'manifests of a reference with two Unicode forms',
    (tx) => listDocs(tx, 'manifests', manifestFilters, { reference: 'é' }, page),
    'manifests_by_reference (scope_id=? AND reference=?)',
  ],
])('%s are found through their own index', async (_, query, index) => {
  const db = openSqlite(':memory:')
  await migrate(db)
  const plans: string[] = []
  await db.read((tx) => query(inScope(explaining(tx, plans), 1)))
  expect(plans.join('\n')).toContain(index)
  expect(plans.join('\n')).not.toMatch(/USING PRIMARY KEY \(scope_id=\?\)$/m)
  await db.close()
})

/** Records the plan of each query; the query itself returns nothing. */
function explaining(tx: Tx, plans: string[]): Tx {
  const explain = async (query: Sql): Promise<void> => {
    const steps = await tx.all<{ detail: string }>(sql`explain query plan ${query}`)
    plans.push(...steps.map((step) => step.detail))
  }
  return transactionOver({
    ...tx,
    all: async <T>(query: Sql) => {
      await explain(query)
      return tx.all<T>(query)
    },
    get: async <T>(query: Sql) => {
      await explain(query)
      return tx.get<T>(query)
    },
  })
}
