import type { Command } from 'commander'
import { usage } from '../base/cli-error.ts'
import type { Session } from '../command.ts'
import { isOnPath } from '../output/on-path.ts'
import { stdoutName, writeOutputFile } from '../output/output-file.ts'

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
      throw usage(`--open needs ${opener()}, which this machine does not have.`, 'Open the file yourself.')
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
    const { printPdf } = await import('./print-pdf.ts')
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
