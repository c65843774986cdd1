import { Option } from 'commander'
import { type ManifestSource, manifestSources } from '../../../contract/enums.ts'
import { closeGraceDaysDefault } from '../../../contract/limits.ts'
import { askText } from '../../ask/ask.ts'
import { inputName, readInput } from '../../base/input-file.ts'
import type { CommandFile } from '../../command.ts'
import { defineImport } from '../../imports/import-options.ts'
import { isJsonManifest, submitManifestCsv, submitManifestJson } from '../../manifests/manifest-csv.ts'
import type { ManifestOptions } from '../../manifests/manifest-submission.ts'
import { manifestHead } from '../../views/manifests.ts'

type Options = Omit<ManifestOptions, 'reference'> & { reference?: string; source?: ManifestSource }

export const command: CommandFile<[string, Options]> = {
  summary: 'Submit a manifest: what you bought and expect to arrive',
  details:
    'Columns: description; sku for a product, or grader and cert_number for a slab; quantity, external_ref. Rows with a sku need no description: the catalog has it.\n\nThe file is checked first, because a manifest cannot be corrected once it is sent. Good rows are submitted; failed rows are written to FILE.errors.csv. With --strict or an arrival window, one failed row stops the whole file. Submitting the same manifest again is safe, from any machine: custody shows the earlier one. If another manifest already has the reference, custody exits 5: submit only the new rows, under another reference. A .json file is sent as it is.',
  examples: [
    'manifests submit po-7.csv --reference PO-7 --source card_show --dry-run',
    'manifests submit po-7.csv --reference PO-7 --source card_show',
    'manifests submit po-7.csv --reference PO-7 --arrives-from 2026-05-04 --arrives-by 2026-05-11',
    'manifests submit theirs.csv --reference PO-8 --map "Cert No=cert_number" --ignore-columns price',
  ],
  define: (submit) =>
    defineImport(
      submit
        .argument('<file>', 'CSV, Excel (.xlsx), or JSON file; - for stdin')
        .option('--reference <text>', 'Your reference, such as a PO number')
        .addOption(new Option('--source <source>', 'Where you bought it').choices(manifestSources))
        .option('--arrives-from <date>', 'Expected from this date, as in 2026-05-04')
        .option(
          '--arrives-by <date>',
          `Expected until this date; the manifest closes by itself ${closeGraceDaysDefault} days after it`,
        )
        .option('--strict', 'Submit all rows or none; reject slabs that are in custody or expected already')
        .option('--offline', 'Check only the file, without asking the service about its slabs or products'),
    ),
  view: (_format, _file, options) => (options?.dryRun ? undefined : manifestHead),
  writesCsv: true,
  async run(session, file, options) {
    const bytes = await readInput(session.io, file)
    const name = inputName(file)
    if (isJsonManifest(file, bytes)) return submitManifestJson(session, name, bytes, options)
    const isAskedFor = options.reference === undefined && !options.dryRun
    const reference = isAskedFor
      ? await askText(session, {
          flag: '--reference',
          message: 'Your reference for this purchase',
          likely: likelyReference(file),
        })
      : (options.reference ?? '')
    return submitManifestCsv(session, name, bytes, { ...options, reference })
  },
}

function likelyReference(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? file).replace(/\.(?:csv|xlsx)$/i, '')
}
