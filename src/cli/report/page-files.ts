import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import { CliError, usage } from '../base/cli-error.ts'
import type { Io } from '../base/io.ts'
import { removedAtEnd, temporaryFolder } from '../base/temporary-folder.ts'
import type { Session } from '../command.ts'
import { isOnPath } from '../output/on-path.ts'
import { replaceOwnFile, stdoutName, writeOutputFile } from '../output/output-file.ts'

export type PageFiles = { html?: string; pdf?: string; open?: boolean }

export function pageFlags(command: Command, about: string): Command {
  return command
    .option('--html <file>', `Write ${about}; - for stdout`)
    .option('--pdf <file>', 'Write the page as PDF (needs Chromium)')
    .option('--open', 'Open the written page')
}

/** Throws `usage` if --open has no file to open, or no program to open it with. */
export function isPageWanted({ io }: Session, { html, pdf, open }: PageFiles): boolean {
  if (open) {
    if (pdf === undefined && (html === undefined || html === stdoutName))
      throw usage('--open opens a page that is written to a file.', 'Name the file: --html FILE')
    if (!isOnPath(opener(), io.env))
      throw usage(`--open needs ${opener()}, which this machine does not have.`, 'Leave --open out.')
  }
  return html !== undefined || pdf !== undefined
}

export async function writePages(
  session: Session,
  { html, pdf, open }: PageFiles,
  told: string,
  page: string,
): Promise<void> {
  const { io, notice } = session
  if (html !== undefined) {
    const { pageStart } = await import('./html.ts')
    writeOutputFile(io, html, page, pageStart.markup)
    if (html !== stdoutName) notice(`Wrote ${told} to ${html}`)
  }
  if (pdf !== undefined) {
    await printPdf(io, page, pdf)
    notice(`Wrote ${told} to ${pdf}`)
  }
  if (!open) return
  const { spawn } = process.getBuiltinModule('node:child_process')
  const file = html === undefined || html === stdoutName ? pdf : html
  const child = spawn(opener(), [file ?? ''], { cwd: io.cwd, detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
}

function opener(): string {
  return process.platform === 'darwin' ? 'open' : process.platform === 'win32' ? 'explorer.exe' : 'xdg-open'
}

const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const timeoutMs = 60_000

const pdfStart = '%PDF-'

/** Throws `usage` if this machine has no Chromium. */
async function printPdf(io: Io, page: string, file: string): Promise<void> {
  const { env } = io
  const browser = env.CUSTODY_BROWSER || browsers.find((name) => isOnPath(name, env))
  if (browser === undefined) {
    const hint = 'Write --html and print it from any browser, or name one with CUSTODY_BROWSER.'
    throw usage('--pdf needs Chromium or Chrome, which this machine does not have.', hint)
  }
  const folder = temporaryFolder('custody-page-')
  const remove = removedAtEnd(folder)
  try {
    const source = join(folder, 'page.html')
    writeFileSync(source, page)
    // Chromium's sandbox rejects root; the page is custody's own and runs no script.
    const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    const quiet = [
      '--headless',
      '--disable-gpu',
      '--no-pdf-header-footer',
      `--user-data-dir=${join(folder, 'profile')}`,
    ]
    const printed = join(folder, 'page.pdf')
    const args = [...quiet, ...asRoot, `--print-to-pdf=${printed}`, `file://${source}`]
    replaceOwnFile(io, file, await pdfOf(browser, args, printed, { ...env, HOME: folder }), pdfStart)
  } finally {
    remove()
  }
}

/** Checks the file too, as a browser may exit with 0 and print nothing. */
async function pdfOf(
  browser: string,
  args: readonly string[],
  printed: string,
  env: Io['env'],
): Promise<Uint8Array> {
  const failed = (reason: string) =>
    new CliError('unreachable', `${browser} could not print the page: ${reason}.`)
  const { execFile } = process.getBuiltinModule('node:child_process')
  await promisify(execFile)(browser, args, { timeout: timeoutMs, env }).catch((error: Error) => {
    throw failed(error.message.split('\n')[0] ?? '')
  })
  const bytes = existsSync(printed) ? readFileSync(printed) : Buffer.alloc(0)
  if (!bytes.toString('latin1').startsWith(pdfStart)) throw failed('it wrote no PDF')
  return bytes
}
