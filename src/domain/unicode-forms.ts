/** Unicode writes a letter such as é in two forms, and programs differ. The text as it is comes first. */
export function unicodeForms(text: string): string[] {
  return [...new Set([text, text.normalize(), text.normalize('NFD')])]
}
