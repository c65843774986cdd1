import type { BodyInput } from '../../contract/operations.ts'
import type { ManifestLine } from '../../contract/resources/manifest.ts'
import { usage } from '../base/cli-error.ts'

type ReceivedLine = NonNullable<BodyInput<'receiveManifest'>['lines']>[number]

/** Lines named as `line=n` or `line=n:flag,flag`, and unless `isOnly` all others as complete. Throws `usage`. */
export function linesThatArrive(
  lines: readonly ManifestLine[],
  named: readonly string[],
  isOnly: boolean,
): ReceivedLine[] {
  const asked = named.map((text) => received(lines, text))
  return lines.flatMap(({ id, quantity, matched_qids }) => {
    const own = asked.filter(({ line_id }) => line_id === id)
    const awaited = quantity - matched_qids.length
    if (own.length > 0 || isOnly || awaited <= 0) return own
    return [{ line_id: id, quantity: awaited }]
  })
}

function received(lines: readonly ManifestLine[], text: string): ReceivedLine {
  const [, name, quantity, flags] = /^(.+)=(\d+)(?::([\w,]+))?$/.exec(text) ?? []
  if (name === undefined) {
    throw usage(
      `--line: "${text}" is not of the form line=n or line=n:flag.`,
      'As in --line 3=1:cracked_case',
    )
  }
  const line =
    lines.find(({ external_ref, id }) => external_ref === name || id === name) ?? lineAt(lines, name)
  if (line === undefined) throw usage(`--line: the manifest has no line "${name}".`)
  return {
    line_id: line.id,
    quantity: Number(quantity),
    ...(flags !== undefined && { condition_flags: flags.split(',') }),
  }
}

function lineAt(lines: readonly ManifestLine[], number: string): ManifestLine | undefined {
  return /^\d+$/.test(number) ? lines[Number(number) - 1] : undefined
}
