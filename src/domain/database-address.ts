/** Whether a database is named by address rather than by file. */
export function isDatabaseAddress(place: string): boolean {
  return /^postgres(ql)?:\/\//i.test(place)
}

/** An address of whatever kind as people may see it: without its password. A file's path is what it is. */
export function shownPlace(place: string): string {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(place)) return place
  // To the last @: a password may hold one, or a slash, unencoded.
  return place.replace(/^([^:]+:\/\/[^:@/]*):.*@/, '$1@').replace(/([?&]password=)[^&]*/i, '$1…')
}
