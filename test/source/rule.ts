/** A file of the project, as the rules see it: its path from the root, with forward slashes, and its text. */
export type SourceText = { path: string; text: string }

/** A rule about one file at a time. It must catch the files in `planted`, and pass those in `innocent`. */
export type Rule = {
  title: string
  covers: (path: string) => boolean
  offences: (file: SourceText) => string[]
  planted: SourceText[]
  innocent: SourceText[]
}

/** Every offence among `files`, each as `path:line what`. */
export function offencesAmong(files: SourceText[], rule: Rule): string[] {
  return files.filter((file) => rule.covers(file.path)).flatMap((file) => rule.offences(file))
}

export function isCode(path: string): boolean {
  return /^(src|test|bench)\/.*\.ts$/.test(path)
}

export function isSource(path: string): boolean {
  return /^src\/.*\.ts$/.test(path) && !path.endsWith('.d.ts')
}

/** The offence at `offset` of the text. */
export function at(file: SourceText, offset: number, what: string): string {
  return `${file.path}:${lineOf(file.text, offset)} ${what}`
}

export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Every place where `pattern` (with the flag g) matches. */
export function matches(file: SourceText, pattern: RegExp, what: string): string[] {
  return [...file.text.matchAll(pattern)].map((match) => at(file, match.index, `${what}: ${match[0].trim()}`))
}
