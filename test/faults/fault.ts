/**
 * A fault as a tired engineer makes it, kept as a patch of a few characters: `find` stands exactly once in `file`
 * (test/source/faults.test.ts holds that), and `replace` in its place must make one of `tests` fail.
 */
export type Fault = {
  /** What was done wrong, in a line. */
  name: string
  file: string
  find: string
  replace: string
  /** Where it is expected to be found; what passes here may still be found by the whole suite. */
  tests: readonly string[]
  /** The commit whose mend it takes back. */
  undoes?: string
  /** The simulation is to find it too (`npm run test:faults -- --simulated`). */
  isSimulated?: true
}

/** The text with the fault in it. Throws where the place is not there, or not once. */
export function planted({ name, file, find, replace }: Fault, text: string): string {
  const [before, after, ...more] = text.split(find)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`"${name}" does not apply: ${file} has its place ${text.split(find).length - 1} times`)
  return `${before}${replace}${after}`
}
