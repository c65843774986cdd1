import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { StoreError } from '../database.ts'

/** A host that begins with a slash is a socket's folder. */
export type Login = {
  host: string
  port: number
  database?: string | undefined
  user?: string | undefined
}

/** From `PGPASSFILE` or `~/.pgpass`. Throws `StoreError` if no line matches or other users can read the file. */
export async function passwordFor(login: Login, env = process.env): Promise<string> {
  const file = env.PGPASSFILE || defaultFile(env)
  const text = await textOf(file)
  for (const line of text.split(/\r?\n/)) {
    const password = passwordIn(line, login)
    if (password !== undefined) return password
  }
  throw new StoreError(
    'refused',
    `The database requires a password for ${login.user ?? 'its user'}, and none is set: set PGPASSWORD, ` +
      `or write one into ${file} or the address.`,
  )
}

function defaultFile(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') return join(env.APPDATA ?? '.', 'postgresql', 'pgpass.conf')
  return join(env.HOME || homedir(), '.pgpass')
}

async function textOf(file: string): Promise<string> {
  try {
    const { mode } = await stat(file)
    if (process.platform === 'win32' || (mode & 0o077) === 0) return await readFile(file, 'utf8')
  } catch {
    return ''
  }
  throw new StoreError(
    'refused',
    `The password file ${file} can be read or changed by others, so custody does not use it. Make it private with: chmod 600 ${file}`,
  )
}

/** `host:port:database:user:password`; `*` matches anything in the first four, and a backslash escapes a colon. */
function passwordIn(line: string, { host, port, database, user }: Login): string | undefined {
  if (line.startsWith('#')) return undefined
  const fields = /^((?:\\.|[^\\:])*):((?:\\.|[^\\:])*):((?:\\.|[^\\:])*):((?:\\.|[^\\:])*):(.*)$/.exec(line)
  const [hosts = '', ports, databases, users, password] = (fields ?? []).slice(1).map(unescaped)
  const isMeant = (field: string | undefined, value: unknown): boolean =>
    field === '*' || field === String(value)
  const isHost = isMeant(hosts, host) || (host.startsWith('/') && hosts === 'localhost')
  return isHost && isMeant(ports, port) && isMeant(databases, database) && isMeant(users, user)
    ? password
    : undefined
}

function unescaped(field: string): string {
  return field.replace(/\\(.)/g, '$1')
}
