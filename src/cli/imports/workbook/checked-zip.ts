import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { CliError } from '../../base/cli-error.ts'

/** Bytes of a workbook when it is unpacked: about 150,000 rows of ten columns, which take 600 MB to read. */
const unpackedMax = 64 * 1024 * 1024

/** What other files that are archives have in them. */
const others: Readonly<Record<string, string>> = {
  'xl/workbook.bin': 'a binary Excel workbook (.xlsb)',
  'content.xml': 'an OpenDocument file (.ods)',
  'Index/Document.iwa': 'a Numbers document',
  'word/document.xml': 'a Word document',
}

/**
 * Unpacks everything once and keeps nothing: what is read after that is as large as it says, and no larger than can be read.
 * Throws `invalid` where the file is no workbook, damaged or too large.
 */
export async function checkWorkbookZip(name: string, bytes: Buffer): Promise<void> {
  if (!bytes.toString('latin1', 0, 2).startsWith('PK'))
    throw notOpened(name, 'an old Excel workbook (.xls), or one with a password')
  const names: string[] = []
  try {
    const zip = await fromBufferPromise(bytes)
    let unpacked = 0
    for await (const entry of zip.eachEntry()) {
      names.push(entry.fileName)
      for await (const size of sizesOf(zip, entry)) {
        unpacked += size
        if (unpacked > unpackedMax) throw tooLarge(name)
      }
    }
  } catch (error) {
    if (error instanceof CliError) throw error
    throw new CliError('invalid', `${name} is damaged: it cannot be unpacked (${(error as Error).message}).`)
  }
  if (names.includes('xl/workbook.xml')) return
  const other = Object.entries(others).find(([part]) => names.includes(part))?.[1]
  throw notOpened(name, other ?? 'an archive that is no Excel workbook')
}

function notOpened(name: string, what: string): CliError {
  return new CliError('invalid', `${name} is ${what}.`, {
    hint: 'Open it in a spreadsheet and save it as an Excel workbook (.xlsx) or as CSV.',
  })
}

async function* sizesOf(zip: ZipFile, entry: Entry): AsyncGenerator<number> {
  if (entry.fileName.endsWith('/')) return
  for await (const piece of await zip.openReadStreamPromise(entry)) yield (piece as Buffer).length
}

function tooLarge(name: string): CliError {
  const size = unpackedMax / (1024 * 1024)
  return new CliError('invalid', `${name} has more than ${size} MiB when it is unpacked.`, {
    hint: 'Save the sheet as CSV (UTF-8), which may be of any size, or split it.',
  })
}
