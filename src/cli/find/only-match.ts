import { CliError } from '../base/cli-error.ts'

/** `told`: text that distinguishes several with the same name. */
type Named<T> = { noun: string; by?: string; told: (found: T) => string }

/** Throws `not_found`, or `usage` if several have the name. */
export function onlyMatch<T extends { id: string }>(
  found: readonly T[],
  given: string,
  { noun, by = 'reference', told }: Named<T>,
): T {
  const [one, ...others] = found
  if (one === undefined) throw noneFound(noun, given, by)
  if (others.length === 0) return one
  const fields = Object.fromEntries(found.map((each) => [each.id, [told(each)]]))
  throw new CliError('usage', `Several ${noun}s have the ${by} "${given}"; give the id of one.`, { fields })
}

export function noneFound(noun: string, given: string, by = 'reference'): CliError {
  return new CliError('not_found', `There is no ${noun} with the id or ${by} "${given}".`, {
    hint: `See: custody ${noun}s ls`,
  })
}
