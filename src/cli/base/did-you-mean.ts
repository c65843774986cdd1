import { closestName } from '../../domain/closest-name.ts'

export function didYouMean<T extends string | undefined>(
  name: string,
  known: readonly string[],
  otherwise: T,
): string | T {
  const meant = closestName(name, known)
  return meant === null ? otherwise : `Did you mean ${meant}?`
}
