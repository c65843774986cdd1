const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return form.test(text)
}

/** Ids have version 7 (decisions 2). Any other UUID may be a partner's reference. */
export function isId(text: string): boolean {
  return isUuid(text) && text[14] === '7'
}

/** The lowest UUIDv7 of a time (ISO 8601): later ones compare as greater or equal (decisions 2). */
export function firstUuidAt(time: string): string {
  const hex = Math.max(0, Date.parse(time)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

export function timeOfUuid(id: string): string {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString()
}
