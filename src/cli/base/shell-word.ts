/** A word as it is typed into a shell: in quotes if it needs them. */
export function quoted(word: string): string {
  return /^[\w./:=@,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
