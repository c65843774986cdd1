import { Option } from 'commander'
import type { Manifest, ManifestWithLines } from '../../../contract/resources/manifest.ts'
import { usage } from '../../base/cli-error.ts'
import { counted } from '../../base/counted.ts'
import type { CommandFile, Session } from '../../command.ts'
import { wholeNumber } from '../../find/filters.ts'
import { findManifest } from '../../find/find-manifest.ts'
import { stdoutName, writeOutputFile } from '../../output/output-file.ts'
import { type Sheet, sheets } from '../../report/sheets.ts'

type Options = { html?: string; pdf?: string; parcels?: string; sheet: Sheet }

/** More parcels of one purchase are probably a typing mistake. */
const parcelsMax = 500

export const command: CommandFile<[string, Options]> = {
  summary: 'print a label for each box of a purchase, for the warehouse to scan',
  details:
    'Each has your name, the reference, how many lines and units are expected, and which parcel of how many it is; as Code 128 the ' +
    'reference and the manifest id, as QR code both. The page needs no network: print it at 100%. --pdf needs Chromium on ' +
    'this machine (CUSTODY_BROWSER names another one).',
  examples: [
    'manifests labels PO-1041 --html labels.html',
    'manifests labels PO-1041 --html labels.html --parcels 3 --sheet a4',
    'manifests labels PO-1041 --pdf labels.pdf',
  ],
  define: (labels) =>
    labels
      .argument('<manifest>', 'its id or reference')
      .option('--html <file>', 'write them as one page; - for stdout')
      .option('--pdf <file>', 'write them as a PDF file, where there is a Chromium')
      .option('--parcels <n>', 'so many boxes (default: 1)')
      .addOption(
        new Option('--sheet <size>', 'the paper: 4x6 inches, or four on A4').choices(sheets).default('4x6'),
      ),
  isPlain: true,
  run,
}

async function run(session: Session, given: string, options: Options): Promise<void> {
  const { html, pdf, sheet } = options
  if (html === undefined && pdf === undefined) throw usage('Name the file: --html FILE or --pdf FILE.')
  const parcels = options.parcels === undefined ? 1 : wholeNumber(options.parcels, '--parcels', 1)
  if (parcels > parcelsMax) throw usage(`--parcels: "${parcels}" is more than ${parcelsMax}.`)
  const { client, partner } = await session.target()
  const manifest = await findManifest(client, given)
  const { labelPage } = await import('../../report/label-page.ts')
  const page = labelPage({ ...contentOf(manifest), partner }, parcels, sheet)
  const what = `${counted(parcels, 'label')} of ${manifest.reference}`
  const { pageStart } = await import('../../report/html.ts')
  if (html !== undefined) writeOutputFile(session.io, html, page, pageStart.markup)
  if (html !== undefined && html !== stdoutName) session.notice(`Wrote ${what} to ${html}`)
  if (pdf === undefined) return
  const { printPdf } = await import('../../report/print-pdf.ts')
  await printPdf(session.io, page, pdf)
  session.notice(`Wrote ${what} to ${pdf}`)
}

function contentOf(manifest: Manifest | ManifestWithLines) {
  const { id, reference, line_count } = manifest
  const units =
    'lines' in manifest ? manifest.lines.reduce((sum, { quantity }) => sum + quantity, 0) : undefined
  return { manifest_id: id, reference, lines: line_count, units }
}
