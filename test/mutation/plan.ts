/** Input of a process that runs tests with mutants. */
export type Plan = {
  /** The file for its results, one line of JSON each. */
  log: string
  /** Its test files, in order. */
  tests: string[]
  /** Mutants that need no more tests. */
  decided: string[]
  /** `ID TEST` of earlier attempts. */
  tried: string[]
  /** Tests, or files of tests, that fail without a mutant, or when run twice in one process. */
  unfit: string[]
  /** Tried first, because its last result was uncertain. */
  first: string | undefined
  /** Whether files are loaded again for each mutant. */
  isLoading: boolean
  /** The files and their mutants, by name. */
  sources: Record<string, string>
}

export type Judgement =
  /** Mutants that a test reaches. */
  | { kind: 'met'; ids: string[] }
  /** Mutants that are reached while a file is loaded. */
  | { kind: 'loaded'; ids: string[] }
  | { kind: 'begun'; id: string; test: string }
  | { kind: 'survived'; id: string; test: string }
  | { kind: 'noticed'; id: string; test: string }
  /** A test failed without a mutant, perhaps because of `doubted`. */
  | { kind: 'unfit'; test: string; doubted: string | undefined; failure: string }
  | { kind: 'ended'; file: string }
