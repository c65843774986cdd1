import { raw } from 'jq-wasm/inline'
import { usage } from '../base/cli-error.ts'
import type { Outlet } from '../base/io.ts'

export type JqOutlet = { out: Outlet; flush(): Promise<void> }

/** `isWriting`: whether something was changed already. `warn`: says a line on stderr. */
export type Faults = { isWriting: () => boolean; warn: (text: string) => void }

/**
 * Gathers JSON like an output, and once it is complete sends it through the program to the real one. Throws `usage`, in jq's
 * words, for a program that it does not understand: without input it is compiled and no more. What it cannot do with the JSON
 * of a change that is made is a warning, and the JSON is printed as it is.
 */
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

/**
 * What a jq program makes of JSON texts, by jq itself: a value a line, text without its quotes. `isPretty`: objects over several
 * lines. Throws `usage` in jq's words.
 */
export async function jqText(json: string, program: string, isPretty = false): Promise<string> {
  const { stdout, stderr, exitCode } = await raw(json, program, isPretty ? ['-r'] : ['-r', '-c']).catch(
    brokenBy,
  )
  if (exitCode === 0) return stdout === '' ? '' : `${stdout}\n`
  throw usage(`--jq: ${faultOf(stderr)}`)
}

/** jq itself ends its machine only if memory or stack are used up. */
function brokenBy(): never {
  throw usage('--jq: the program needs more memory than jq has.', 'Let it make less at a time.')
}

/**
 * jq's first complaint on one line: where it is in the program, without jq's drawing of it, and without the place in the input,
 * which is a file that the operator never sees.
 */
function faultOf(stderr: string): string {
  const [line = ''] = stderr.split('\n')
  const fault = line.replace(/^jq: error(?: \(at [^)]*\))?: /, '')
  const [, what, place] = /^(.*) at <top-level>, (line \d+, column \d+):$/.exec(fault) ?? []
  return `${what === undefined ? fault : `${what} at ${place} of the program`}.`
}
