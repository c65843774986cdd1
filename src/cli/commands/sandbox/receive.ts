import { Option } from 'commander'
import type { Client } from '../../../client/client.ts'
import { getWholeManifest } from '../../../client/whole-manifest.ts'
import type { BodyInput } from '../../../contract/operations.ts'
import type { IntakeEvent } from '../../../contract/resources/item.ts'
import type { ManifestLine } from '../../../contract/resources/manifest.ts'
import { receiveOutcomes } from '../../../contract/resources/sandbox.ts'
import { rejectTwo, usage } from '../../base/cli-error.ts'
import { counted } from '../../base/counted.ts'
import type { CommandFile, Session } from '../../command.ts'
import { collect } from '../../command-line/body-flags.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { findManifestId } from '../../find/find-by-reference.ts'
import { eachNamed, idsOrReferences, isMany, namesFrom } from '../../list/several.ts'
import { arrivalList } from '../../views/items.ts'

type Options = IdempotentOptions & {
  outcome?: (typeof receiveOutcomes)[number]
  line?: string[]
  only?: boolean
}

export const command: CommandFile<[string[], Options]> = {
  summary: 'Simulate the arrival of manifests',
  details:
    'A line is named by its reference, its number in the manifest, or its id: --line BS-4471-03=2 delivers two units of it, and --line 3=1:cracked_case one flagged unit. The other lines arrive complete, or not at all with --only.',
  examples: [
    'sandbox receive PO-1041 PO-1042',
    'sandbox receive PO-1041 --outcome short',
    'sandbox receive BS-4471 --line BS-4471-03=3 --line BS-4471-01=1:cracked_case',
  ],
  define: (receive) =>
    idempotent(receive)
      .argument('<manifest...>', idsOrReferences)
      .addOption(
        new Option('--outcome <outcome>', 'How it arrives (default: complete)').choices(receiveOutcomes),
      )
      .option('--line <line=n[:flags]>', 'Units of one line; repeatable', collect)
      .option('--only', 'Only the named lines'),
  view: () => arrivalList,
  async run(session, given, options) {
    const { outcome, line } = options
    rejectTwo({ '--outcome': outcome, '--line': line })
    if (options.only && line === undefined) throw usage('--only needs --line: name at least one line.')
    if (line !== undefined && isMany(given)) throw usage('--line is for one manifest.', 'Name one.')
    const named = await namesFrom(session, given)
    const { client } = await session.target()
    const printer = await session.printer()
    const arrived: IntakeEvent[] = []
    const summaries: string[] = []
    try {
      return await eachNamed(session, named, async (name) => {
        const { intakes, awaited } = await receive(session, client, name, options)
        arrived.push(...intakes)
        summaries.push(named.isMany ? `${name}: ${counts(intakes, awaited)}` : counts(intakes, awaited))
      })
    } finally {
      if (named.isMany || summaries.length > 0) await printer.all(arrived)
      for (const line of summaries) session.notice(line)
    }
  },
}

async function receive(session: Session, client: Client, given: string, options: Options) {
  const { outcome, line, idempotencyKey } = options
  const manifest_id = await findManifestId(client, given)
  const { lines } = await getWholeManifest(client, manifest_id)
  const awaited = lines.reduce((sum, { quantity, matched_qids }) => sum + quantity - matched_qids.length, 0)
  const body =
    line === undefined
      ? { outcome: outcome ?? 'complete' }
      : { lines: linesThatArrive(lines, line, options.only === true) }
  await session.targetToWrite()
  const { data } = await client.receiveManifest({ params: { manifest_id }, body, idempotencyKey })
  return { intakes: data.intakes, awaited }
}

function counts(intakes: readonly IntakeEvent[], awaited: number): string {
  const unexpected = intakes.filter(({ manifest_line_id }) => manifest_line_id === null).length
  const flagged = intakes.filter(
    ({ manifest_line_id, condition_flags }) => manifest_line_id !== null && condition_flags.length > 0,
  ).length
  const some = (count: number, words: string): string => counted(count, words, words)
  const parts = [
    some(intakes.length - unexpected - flagged, 'as expected'),
    flagged > 0 && some(flagged, 'with a condition flag'),
    unexpected > 0 && some(unexpected, 'on no line of the manifest'),
  ].filter(Boolean)
  const onLines = intakes.length - unexpected
  const arrived =
    onLines < awaited
      ? some(onLines, `of ${counted(awaited, 'expected item')} arrived`)
      : counted(intakes.length, 'item arrived', 'items arrived')
  return intakes.length === 0 ? 'Nothing arrived' : `${arrived}: ${parts.join(', ')}`
}

type ReceivedLine = NonNullable<BodyInput<'receiveManifest'>['lines']>[number]

/** Lines named as `line=n` or `line=n:flag,flag`, and unless `isOnly` all others as complete. Throws `usage`. */
function linesThatArrive(
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
