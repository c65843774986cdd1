import { Option } from 'commander'
import type { Manifest, ManifestWithLines } from '../../../contract/resources/manifest.ts'
import { usage } from '../../base/cli-error.ts'
import { counted } from '../../base/counted.ts'
import type { CommandFile, Outcome, Session } from '../../command.ts'
import type { Holder } from '../../connection/target-type.ts'
import { wholeNumber } from '../../find/filters.ts'
import { findManifest } from '../../find/find-by-reference.ts'
import { eachNamed, idsOrReferences, namesFrom } from '../../list/several.ts'
import { isPageWanted, type PageFiles, pageFlags, writePages } from '../../report/page-files.ts'
import { type Sheet, sheets } from '../../report/sheets.ts'

type Options = PageFiles & { parcels?: string; sheet: Sheet }

/** More parcels of one purchase are probably a typing mistake. */
const parcelsMax = 500

export const command: CommandFile<[string[], Options]> = {
  summary: 'Print a label for each box, for the warehouse to scan',
  details:
    'Each label shows your name, the reference, the expected lines and units, and its number among the parcels. Code 128 bars encode the reference, a QR code the manifest id and the reference. Labels of a sandbox or of a closed manifest say so. The page needs no network; print it at 100%. --pdf needs Chromium on this machine (CUSTODY_BROWSER names another browser).',
  examples: [
    'manifests labels PO-1041 PO-1042 --html labels.html',
    'manifests labels PO-1041 --html labels.html --parcels 3 --sheet a4',
    'manifests labels PO-1041 --pdf labels.pdf',
  ],
  define: (labels) =>
    pageFlags(labels.argument('<manifest...>', idsOrReferences), 'one page')
      .option('--parcels <n>', 'Number of boxes (default: 1)')
      .addOption(
        new Option('--sheet <size>', 'Paper: 4x6 inches, or four on A4').choices(sheets).default('4x6'),
      ),
  isPlain: true,
  run,
}

async function run(session: Session, given: string[], options: Options): Promise<Outcome> {
  if (!isPageWanted(session, options)) throw usage('Name the file: --html FILE or --pdf FILE.')
  const parcels = options.parcels === undefined ? 1 : wholeNumber(options.parcels, '--parcels', 1)
  if (parcels > parcelsMax) throw usage(`--parcels: "${parcels}" is more than ${parcelsMax}.`)
  const named = await namesFrom(session, given)
  const { client, holder } = await session.target()
  const labels: Array<ReturnType<typeof contentOf> & Holder> = []
  const outcome = await eachNamed(session, named, async (name) => {
    labels.push({ ...contentOf(await findManifest(client, name)), ...(await holder()) })
  })
  if (labels.length === 0) return outcome
  const { labelPage } = await import('../../report/barcode-pages.ts')
  const page = labelPage(labels, parcels, options.sheet)
  const [only, another] = labels
  const of = another === undefined ? only?.reference : counted(labels.length, 'manifest')
  await writePages(session, options, `${counted(parcels * labels.length, 'label')} of ${of}`, page)
  return outcome
}

function contentOf(manifest: Manifest | ManifestWithLines) {
  const { id, reference, line_count, status } = manifest
  const units =
    'lines' in manifest ? manifest.lines.reduce((sum, { quantity }) => sum + quantity, 0) : undefined
  return { manifest_id: id, reference, isClosed: status === 'reconciled', lines: line_count, units }
}
