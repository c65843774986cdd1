import { CliError } from '../base/cli-error.ts'

/** The id of the only one that has the reference. Throws `not_found`, or `usage` where several have it. */
export function theOnlyOne(
  found: ReadonlyArray<{ id: string; status: string }>,
  noun: 'fulfillment' | 'transfer',
  given: string,
): string {
  const [one, ...others] = found
  if (one === undefined) {
    throw new CliError('not_found', `There is no ${noun} with the id or reference "${given}".`, {
      hint: `See: custody ${noun}s ls`,
    })
  }
  if (others.length === 0) return one.id
  const fields = Object.fromEntries(found.map(({ id, status }) => [id, [status]]))
  throw new CliError('usage', `Several ${noun}s have the reference "${given}"; give the id of one.`, {
    fields,
  })
}
