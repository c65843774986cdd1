export function quoted(word: string): string {
  return /^[\w./:=@,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** Removes spaces, line ends, and quotes around a value: files of variables and keys often have them. */
export function unquoted(text: string): string {
  return text.trim().replace(/^"(.*)"$|^'(.*)'$/s, '$1$2')
}
