/** Whether a database is named by address rather than by file. */
export function isPostgresAddress(place: string): boolean {
  return /^postgres(ql)?:\/\//i.test(place)
}

/** An address as people may see it: without its password. A file's path is what it is. */
export function shownPlace(place: string): string {
  if (!isPostgresAddress(place)) return place
  // To the last @: a password may hold one, or a slash, unencoded.
  return place.replace(/^([^:]+:\/\/[^:@/]*):.*@/, '$1@').replace(/([?&]password=)[^&]*/i, '$1…')
}
