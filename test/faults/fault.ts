import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

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
  isSimulated: boolean
}

/** Every planted fault; `npm run test:faults` tries them all. */
export const faults: readonly Fault[] = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.txt'))
  .flatMap((name) => faultsIn(readFileSync(join(import.meta.dirname, name), 'utf8')))

/**
 * A paragraph each: its name; `FILE by TESTS`, with `, simulated` and `, undoes COMMIT`; a minus sign before each line to find,
 * and a plus sign before each line in its place. The first and last line may be parts of lines. A paragraph after # is a remark.
 */
export function faultsIn(text: string): Fault[] {
  const paragraphs = text
    .trimEnd()
    .split('\n\n')
    .filter((paragraph) => !paragraph.startsWith('#'))
  return paragraphs.map((paragraph) => {
    const [name = '', place = '', ...patch] = paragraph.split('\n')
    const [places = '', ...marks] = place.split(', ')
    const [file = '', tests = ''] = places.split(' by ')
    const undone = marks.find((mark) => mark.startsWith('undoes '))
    const after = (sign: string) => patch.filter((line) => line.startsWith(sign)).map((line) => line.slice(1))
    return {
      ...{ name, file, tests: tests.split(' '), isSimulated: marks.includes('simulated') },
      ...{ find: after('-').join('\n'), replace: after('+').join('\n') },
      ...(undone && { undoes: undone.slice('undoes '.length) }),
    }
  })
}

/** The text with the fault in it. Throws unless the place occurs exactly once. */
export function planted({ name, file, find, replace }: Fault, text: string): string {
  const [before, after, ...more] = text.split(find)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`"${name}" does not apply: ${file} has its place ${text.split(find).length - 1} times`)
  return `${before}${replace}${after}`
}
