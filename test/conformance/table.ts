import type { Entry } from '../../src/conformance/world.ts'

/** The tests that the page names for a clause, as `test/x.test.ts: title`. */
export type Named = ReadonlyMap<string, readonly string[]>

const check = '`custody conformance`'
const between = '<br>'

/** The page: the text of the entries, and for each clause the tests that it already names. */
export function pageText(introduction: string, entries: readonly Entry[], named: Named): string {
  const parts = new Map<string, string[]>()
  for (const entry of entries) {
    const title = titleOf(entry.clause)
    parts.set(title, [...(parts.get(title) ?? []), rowOf(entry, named.get(entry.clause) ?? [])])
  }
  const tables = [...parts].map(([title, rows]) => {
    return `## ${title}\n\n| clause | says | seen by |\n| --- | --- | --- |\n${rows.join('\n')}\n`
  })
  return `${introduction.trimEnd()}\n\n${tables.join('\n')}`
}

/** The text before the first table. */
export function introductionOf(page: string): string {
  return page.slice(0, page.indexOf('\n## '))
}

/** The tests by clause, as the page names them. */
export function namedTests(page: string): Named {
  const named = new Map<string, readonly string[]>()
  for (const [, clause = '', cell = ''] of page.matchAll(/^\| (D?\d\S*) \|.*\| ([^|]*) \|$/gm)) {
    named.set(
      clause,
      cell
        .split(between)
        .filter((proof) => proof !== check)
        .map((proof) => proof.replaceAll('`', '')),
    )
  }
  return named
}

function rowOf(entry: Entry, tests: readonly string[]): string {
  const hidden = 'run' in entry ? [] : [entry.coveredBy]
  const proofs = [...new Set([...hidden, ...tests])].map((test) => test.replace(/^(\S+):/, '`$1`:'))
  if ('run' in entry) proofs.unshift(check)
  return `| ${entry.clause} | ${entry.text.replaceAll('|', '\\|')} | ${proofs.join(between)} |`
}

const titles: Readonly<Record<string, string>> = {
  2: 'Part 2: resources and their fields',
  3: 'Part 3: states and transitions',
  4: 'Part 4: endpoints',
  5: 'Part 5: authentication',
  6: 'Part 6: events',
  7: 'Part 7: errors',
  8: 'Part 8: limits',
  9: 'Part 9: versioning',
  D1: 'Decisions 1: scope, environments, keys',
  D2: 'Decisions 2: identifiers, times, absent values',
  D3: 'Decisions 3: requests and errors',
  D4: 'Decisions 4: idempotency',
  D5: 'Decisions 5: CSV uploads',
  D6: 'Decisions 6: manifests, matching, reconciliation',
  D7: 'Decisions 7: items, fulfillments, transfers',
  D8: 'Decisions 8: sandbox',
  D9: 'Decisions 9: events and webhooks',
  D10: 'Decisions 10: extension operations',
  D11: 'Decisions 11: smaller rulings',
  D13: 'Decisions 13: repeats',
}

function titleOf(clause: string): string {
  return titles[/^D?\d+/.exec(clause)?.[0] ?? ''] ?? ''
}
