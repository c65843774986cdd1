/** Unicode writes a letter such as é in two forms, and programs differ. The text as it is comes first. */
export function unicodeForms(text: string): string[] {
  return [...new Set([text, text.normalize(), text.normalize('NFD')])]
}

/** In either form. A missing text equals only a missing one. */
export function isSameText(one: string | null | undefined, other: string | null | undefined): boolean {
  return one?.normalize() === other?.normalize()
}
