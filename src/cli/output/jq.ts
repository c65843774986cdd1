import { raw } from 'jq-wasm/inline'
import { usage } from '../base/cli-error.ts'
import type { Outlet } from '../base/io.ts'

export type JqOutlet = { out: Outlet; flush(): Promise<void> }

export type Faults = { isWriting: () => boolean; warn: (text: string) => void }

/** Runs jq once the JSON is complete. Throws `usage` if the program does not compile; after a change, faults only warn. */
export async function openJq(program: string, to: Outlet, { isWriting, warn }: Faults): Promise<JqOutlet> {
  await jqText('', program)
  let json = ''
  return {
    out: {
      ...to,
      write(text) {
        json += text
      },
    },
    async flush() {
      const given = json
      json = ''
      if (given === '') return
      const text = await jqText(given, program, to.isTerminal).catch((fault: Error) => {
        if (!isWriting()) throw fault
        warn(`Warning: ${fault.message.trimEnd()}: this is the whole result.`)
        return given
      })
      to.write(text, true)
    },
  }
}

/** One value a line, text without quotes; `isPretty`: objects over several lines. Throws `usage` in jq's words. */
export async function jqText(json: string, program: string, isPretty = false): Promise<string> {
  const { stdout, stderr, exitCode } = await raw(
    json,
    json === '' ? program : bounded(program),
    isPretty ? ['-r'] : ['-r', '-c'],
  ).catch(() => {
    // jq itself crashes only if it runs out of memory or stack.
    throw usage('--jq: the program needs more memory than jq has.', 'Make it produce less at a time.')
  })
  if (exitCode === 0) return stdout === '' ? '' : `${stdout}\n`
  throw usage(`--jq: ${faultOf(stderr)}`)
}

const resultsMax = 1_000_000

/** jq keeps its results until the last one: those of `range(1e12)` would fill the memory. */
function bounded(program: string): string {
  const fault = `error("more than ${resultsMax} results: for so many, pipe --json into jq")`
  return `foreach (\n${program}\n) as $one (0; . + 1; if . > ${resultsMax} then ${fault} else $one end)`
}

const noInput = 'there is no more input: "." is the whole result'

/** jq's first error on one line, without its drawing and the place in the input, a file that the operator never sees. */
function faultOf(stderr: string): string {
  const [line = ''] = stderr.split('\n')
  const fault = line.replace(/^jq: error(?: \([^)]*\))*: /, '').replace(/^break$/, noInput)
  const [, what, place] = /^(.*) at <top-level>, (line \d+, column \d+):$/.exec(fault) ?? []
  return `${what === undefined ? fault : `${what} at ${place} of the program`}.`
}
