import { counted } from '../../base/counted.ts'
import type { CommandFile, Session } from '../../command.ts'
import { answers, type Found, findItems } from '../../items/find-items.ts'
import { readSlabRows, type SlabFileOptions, slabFileOptions } from '../../items/slab-rows.ts'
import { columnsOf, fieldsOf, type View } from '../../output/columns.ts'

const view: View = {
  columns: columnsOf<Found>(
    'row',
    { name: 'given', kind: 'id' },
    { name: 'answer', kind: 'status' },
    'reference',
    { name: 'at', title: 'date', kind: 'time' },
    { name: 'item.qid', title: 'qid', kind: 'id' },
    { name: 'item.status', title: 'status', kind: 'status' },
    'grader',
    { name: 'item.grade', title: 'grade' },
    { name: 'item.name', title: 'name', kind: 'long' },
  ),
  fields: () => fieldsOf<Found>('item.cert_number', 'item.sku', 'item.intake_at', 'item.updated_at'),
}

export const command: CommandFile<[string, SlabFileOptions]> = {
  summary: 'Look up a list of certificates, QIDs, or QR codes',
  details:
    'Answers each row of the file with one word. held: the item is in custody. expected: an open manifest (the reference) ' +
    'expects it. left: it left on that date with that order or transfer (the reference). ambiguous: the row names no grader, and slabs of several graders with this number are in custody. other_grader: only a slab of another ' +
    'grader has the number. unknown: none of these. damaged: a spreadsheet has damaged the number. empty: the row has no number.\n\n' +
    'Reads CSV, XLSX, the exports that imports read, and plain lists without a header. --column names the column if custody ' +
    'does not find it.',
  examples: [
    'items find certificates.csv',
    'items find collection.xlsx --column "Cert No" --output csv > found.csv',
    'items find - --output csv < scanned.txt',
  ],
  define: (find) =>
    slabFileOptions(
      find
        .argument('<file>', 'CSV or XLSX file; - for stdin')
        .option('--column <name>', 'Column of certificates, QIDs, or QR codes (default: detected)'),
    ),
  view: () => view,
  run,
}

async function run(session: Session, file: string, options: SlabFileOptions): Promise<void> {
  const rows = await readSlabRows(session, file, options)
  const { client } = await session.target()
  const found = await findItems(client, rows)
  await (await session.printer()).all(found)
  const counts = answers
    .map((answer) => ({ answer, count: found.filter((each) => each.answer === answer).length }))
    .filter(({ count }) => count > 0)
    .map(({ answer, count }) => `${count} ${answer.replace('_', ' ')}`)
  session.notice(`${counted(rows.length, 'row')}: ${counts.join(', ') || 'none'}`)
}
