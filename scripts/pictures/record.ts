// Runs the built program as in a terminal, and returns the terminal's text.
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { type Line, type Picture, pictures } from './stories.ts'
import { pagePicture, terminalPicture, themes } from './svg.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const starter = `#!/bin/sh
exec '${process.execPath}' --require '${join(root, 'scripts', 'pictures', 'fixed-machine.cjs')}' '${join(root, 'bin', 'custody.js')}' "$@"
`
/** 10:00 in New York. */
const begin = Date.parse('2026-11-24T15:00:00Z')

/** Every picture by its file name. Needs a built `dist/`. Throws if a command of a story has an unexpected exit code. */
export async function picturesByName(): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  const played = await inFolder(async (home) => {
    await run(
      { command: 'custody sandbox seed' },
      { folder: home, columns: 96, seed: 'session 0', time: begin },
    )
    return Promise.all(pictures.map(async (picture) => ({ picture, shown: await play(picture, home) })))
  })
  for (const { picture, shown } of played) {
    const { name, title, columns, page } = picture
    if (page !== undefined) files.set(`${name}.svg`, pagePicture(shown, page.width, page.height, title))
    else
      for (const theme of themes)
        files.set(`${name}-${theme.name}.svg`, terminalPicture(shown, columns, title, theme))
  }
  return files
}

/** The terminal's text, or the page that the story wrote. Each story has its own copy of the home with the sample data. */
async function play(picture: Picture, home: string): Promise<string> {
  const { name, columns, files = [], before = [], commands, page } = picture
  return inFolder(async (folder) => {
    cpSync(join(home, '.local'), join(folder, '.local'), { recursive: true })
    for (const file of files) cpSync(join(root, 'fixtures', file), join(folder, basename(file)))
    const outputs = await runAll([...before, ...commands], { folder, columns, name }, 1)
    if (page !== undefined) return readFileSync(join(folder, page.file), 'utf8')
    return outputs
      .slice(before.length)
      .map(
        (output, index) => `\u001b[2m$\u001b[22m \u001b[1m${commands[index]?.command}\u001b[22m\n${output}`,
      )
      .join('\n')
  })
}

/** The output of each command of a session in a checkout, on a terminal of 96 columns without colours. */
export async function sessionOutputs(commands: readonly string[]): Promise<string[]> {
  return inFolder(async (folder) => {
    cpSync(join(root, 'fixtures'), join(folder, 'fixtures'), { recursive: true })
    const lines = commands.map((command) => ({ command }))
    const outputs = await runAll(lines, { folder, columns: 96, name: 'session' })
    return outputs.map(stripVTControlCharacters)
  })
}

async function inFolder<T>(task: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'custody-picture-'))
  try {
    writeFileSync(join(folder, 'custody'), starter, { mode: 0o755 })
    return await task(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs one command per minute of the fixed clock. */
async function runAll(
  lines: readonly Line[],
  place: Omit<Place, 'seed' | 'time'> & { name: string },
  first = 0,
) {
  const outputs: string[] = []
  for (const [index, line] of lines.entries()) {
    const minute = first + index
    outputs.push(
      await run(line, { ...place, seed: `${place.name} ${minute}`, time: begin + minute * 60_000 }),
    )
  }
  return outputs
}

type Place = { folder: string; columns: number; seed: string; time: number }

/** Standard output and standard error as one stream, in the order in which the program wrote. */
async function run(line: Line, place: Place): Promise<string> {
  const { folder, columns, seed, time } = place
  const child = spawn('sh', ['-c', `exec 2>&1; ${line.command}`], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: `${folder}:${process.env.PATH}`,
      HOME: folder,
      TZ: 'America/New_York',
      FORCE_COLOR: '1',
      COLUMNS: String(columns),
      CUSTODY_PAGER: '',
      PICTURE_TIME: String(time),
      PICTURE_SEED: seed,
    },
  })
  const text = await outputOf(child, line.lines)
  // The interrupt ends the shell too.
  const code = line.lines === undefined ? (line.code ?? 0) : null
  if (child.exitCode !== code) throw new Error(`${line.command} ended with ${child.exitCode}:\n${text}`)
  // Readers see their own home folder.
  return text.replaceAll(folder, '~')
}

/** With `lines`, interrupts the command once it has printed that many. */
function outputOf(child: ChildProcess, lines = Number.POSITIVE_INFINITY): Promise<string> {
  let text = ''
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => resolve(text))
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      // Signals the whole group, as Ctrl-C does, because the shell does not forward the signal.
      if (text.split('\n').length > lines && child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
    })
  })
}
