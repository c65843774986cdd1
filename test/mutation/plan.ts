/** What a process that runs tests with mutants is told. */
export type Plan = {
  /** Where it writes its judgements, a line of JSON each. */
  log: string
  /** Its test files, in their order. */
  tests: string[]
  /** Mutants that need no more tests. */
  decided: string[]
  /** `ID TEST` of what was tried before. */
  tried: string[]
  /** Tests, or files of them, that do not pass without a mutant, or not twice in one process. */
  unfit: string[]
  /** Tried before others: it was not sure last time. */
  first: string | undefined
  /** Whether files are loaded anew for each mutant. */
  isLoading: boolean
  /** The files with their mutants, by their names. */
  sources: Record<string, string>
}

export type Judgement =
  /** Mutants that a test comes by. */
  | { kind: 'met'; ids: string[] }
  /** Mutants that are met while a file is loaded. */
  | { kind: 'loaded'; ids: string[] }
  | { kind: 'begun'; id: string; test: string }
  | { kind: 'survived'; id: string; test: string }
  | { kind: 'noticed'; id: string; test: string }
  /** A test failed without a mutant, perhaps for what `doubted` left behind. */
  | { kind: 'unfit'; test: string; doubted: string | undefined; failure: string }
  | { kind: 'ended'; file: string }
