export function quoted(word: string): string {
  return /^[\w./:=@,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** Without spaces, line ends, and the quotes of a shell, which files of variables and keys often have. */
export function unquoted(text: string): string {
  return text.trim().replace(/^"(.*)"$|^'(.*)'$/s, '$1$2')
}
