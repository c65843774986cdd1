/**
 * A mistake as a tired engineer makes it, as a patch of a few characters: `find` occurs exactly once in `file`
 * (test/source/faults.test.ts checks that), and with `replace` in its place one of `tests` must fail.
 */
export type Fault = {
  /** The mistake, in one line. */
  name: string
  file: string
  find: string
  replace: string
  /** The tests that should find it; if they pass, the whole suite may still find it. */
  tests: readonly string[]
  /** The commit whose fix it reverts. */
  undoes?: string
  /** The simulation must find it too (`npm run test:faults -- --simulated`). */
  isSimulated?: true
}

/** The text with the fault in it. Throws unless the place occurs exactly once. */
export function planted({ name, file, find, replace }: Fault, text: string): string {
  const [before, after, ...more] = text.split(find)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`"${name}" does not apply: ${file} has its place ${text.split(find).length - 1} times`)
  return `${before}${replace}${after}`
}
