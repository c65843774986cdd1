import { raw } from 'jq-wasm/inline'
import { usage } from '../base/cli-error.ts'
import type { Outlet } from '../base/io.ts'

/**
 * What a jq program makes of JSON texts, by jq itself: a value a line, text without its quotes. `isPretty`: objects over several
 * lines. Throws `usage` in jq's words.
 */
export async function filtered(json: string, program: string, isPretty: boolean): Promise<string> {
  const { stdout, stderr, exitCode } = await raw(json, program, isPretty ? ['-r'] : ['-r', '-c'])
  if (exitCode === 0) return stdout === '' ? '' : `${stdout}\n`
  throw usage(`--jq: ${stderr.replace(/^jq: (?:error: |error )?/, '')}`)
}

/** Gathers JSON like an output, and once it is complete sends it through the program to the real one. */
export function jqOutlet(program: string, to: Outlet): { out: Outlet; flush(): Promise<void> } {
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
      if (given !== '') to.write(await filtered(given, program, to.isTerminal), true)
    },
  }
}
