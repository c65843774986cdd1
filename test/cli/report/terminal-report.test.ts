import { expect, test } from 'vitest'
import { cliUser, forAllTests } from '../../support/each.ts'

const user = forAllTests(cliUser)

test('a report on 80 columns shows the similarity of a line that matched by other words', async () => {
  const input = 'description\n2021 Pokemon Celebrations Mew Holo PSA 10\n'
  const target = ['--database', 'r.db']
  await user.run(['manifests', 'submit', '-', '--reference', 'PO-9', ...target], { input })
  const slab = ['--grader', 'PSA', '--grade', '9', '--cert', '73000009', '--set', 'Celebrations']
  const name = ['--name', '2021 Pokemon Celebrations Mew Holo', '--card-number', '11']
  await user.run(['sandbox', 'intake', ...slab, ...name, '--manifest', 'PO-9', ...target])
  const { out } = await user.run(['manifests', 'report', 'PO-9', ...target], {
    terminal: 80,
    env: { NO_COLOR: '1' },
  })
  expect(out).toMatch(/ DIFF +ALIKE +DESCRIPTION.*\n.*condition_mismatch.* 0\.\d+ +2021/)
})

test('a report on 80 columns names an unexpected item that arrived damaged', async () => {
  const target = ['--database', 'u.db']
  await user.run(['manifests', 'submit', '-', '--reference', 'PO-9', ...target], {
    input: 'description\n2021 Pokemon Celebrations Mew Holo PSA 10\n',
  })
  const slab = ['--grader', 'PSA', '--grade', '9', '--cert', '73000009', '--name', '1986 Fleer Jordan']
  await user.run(['sandbox', 'intake', ...slab, '--flag', 'cracked_case', '--manifest', 'PO-9', ...target])
  const { out } = await user.run(['manifests', 'report', 'PO-9', ...target], {
    terminal: 80,
    env: { NO_COLOR: '1' },
  })
  expect(out).toMatch(/\nFlagged units \(1\)\n.*\nQ-\S+ +cracked_case +1986 Fleer Jordan\n/)
})
