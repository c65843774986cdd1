export function isDatabaseAddress(place: string): boolean {
  return /^postgres(ql)?:\/\//i.test(place)
}

/** Hides the password; a file's path stays as it is. */
export function shownPlace(place: string): string {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(place)) return place
  // Hides everything up to the last @: an unencoded password may contain one, or a slash.
  return place.replace(/^([^:]+:\/\/[^:@/]*):.*@/, '$1@').replace(/([?&]password=)[^&]*/i, '$1…')
}
