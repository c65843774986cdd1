import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CliError, usage } from '../base/cli-error.ts'
import type { Io } from '../base/io.ts'
import { removedAtEnd, temporaryFolder } from '../base/temporary-folder.ts'
import { isOnPath } from '../output/on-path.ts'

const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const timeoutMs = 60_000

/** Prints a page to a PDF file with this machine's Chromium. Throws `usage` if there is none. */
export async function printPdf({ env }: Io, page: string, file: string): Promise<void> {
  const browser = env.CUSTODY_BROWSER || browsers.find((name) => isOnPath(name, env))
  if (browser === undefined) {
    const hint = 'Write --html and print that from any browser, or name one with CUSTODY_BROWSER.'
    throw usage('--pdf needs Chromium or Chrome, and there is none on this machine.', hint)
  }
  const folder = temporaryFolder('custody-labels-')
  const remove = removedAtEnd(folder)
  try {
    const source = join(folder, 'labels.html')
    writeFileSync(source, page)
    // Chromium's sandbox refuses root; the page is ours and runs no script.
    const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    const quiet = [
      '--headless',
      '--disable-gpu',
      '--no-pdf-header-footer',
      `--user-data-dir=${join(folder, 'profile')}`,
    ]
    const args = [...quiet, ...asRoot, `--print-to-pdf=${file}`, `file://${source}`]
    await promisify(execFile)(browser, args, { timeout: timeoutMs, env: { ...env, HOME: folder } })
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n')
    throw new CliError('unreachable', `${browser} could not print the labels: ${reason}.`)
  } finally {
    remove()
  }
}
