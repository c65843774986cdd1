import type { Check } from '../../src/conformance/world.ts'

/** A clause of the page, and the tests that it names, as `test/x.test.ts: title`. */
type Clause = { clause: string; text: string; isChecked: boolean; tests: readonly string[] }

const check = '`custody conformance`'
const between = '<br>'
const { compare } = new Intl.Collator('en', { numeric: true })

/** The page: the clauses of the run with the tests that the page already names, and the clauses that only tests see. */
export function pageText(introduction: string, entries: readonly Check[], page: readonly Clause[]): string {
  const tests = new Map(page.map((each) => [each.clause, each.tests]))
  const clauses = [
    ...entries.map((entry) => ({ ...entry, isChecked: true, tests: tests.get(entry.clause) ?? [] })),
    ...page.filter(({ isChecked }) => !isChecked),
  ].sort((a, b) => compare(a.clause, b.clause))
  const tables = [...Map.groupBy(clauses, ({ clause }) => titleOf(clause))].map(([title, rows]) => {
    return `## ${title}\n\n| clause | says | seen by |\n| --- | --- | --- |\n${rows.map(rowOf).join('\n')}\n`
  })
  return `${introduction.trimEnd()}\n\n${tables.join('\n')}`
}

/** The text before the first table. */
export function introductionOf(page: string): string {
  return page.slice(0, page.indexOf('\n## '))
}

export function clausesOf(page: string): Clause[] {
  const rows = page.matchAll(/^\| (D?\d\S*) \| (.*) \| ([^|]*) \|$/gm)
  return [...rows].map(([, clause = '', text = '', cell = '']) => {
    const proofs = cell.split(between)
    return {
      clause,
      text: text.replaceAll('\\|', '|'),
      isChecked: proofs.includes(check),
      tests: proofs.filter((proof) => proof !== check).map((proof) => proof.replaceAll('`', '')),
    }
  })
}

function rowOf({ clause, text, isChecked, tests }: Clause): string {
  const proofs = tests.map((test) => test.replace(/^(\S+):/, '`$1`:'))
  if (isChecked) proofs.unshift(check)
  return `| ${clause} | ${text.replaceAll('|', '\\|')} | ${proofs.join(between)} |`
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
