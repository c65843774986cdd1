import { askSecret } from '../ask/ask.ts'
import { CliError, rejectTwo, usage } from '../base/cli-error.ts'
import { readInput } from '../base/input-file.ts'
import type { Io } from '../base/io.ts'
import { unquoted } from '../base/shell-word.ts'
import type { Session } from '../command.ts'

/** Standard Webhooks 1.0: one good signature of several is enough. Returns when it was sent, in ISO 8601. Throws `invalid`. */
export async function verifySignature(
  payload: string,
  { id, timestamp, signature }: SignedHeaders,
  secret: string,
  { now, maxAgeMs }: { now: number; maxAgeMs: number },
): Promise<string> {
  if (!/^\d{1,11}$/.test(timestamp)) throw usage(`"${timestamp}" is not a time in seconds, as in 1777626000.`)
  const sentAt = new Date(Number(timestamp) * 1000)
  const expected = await sign(secret, id, sentAt, payload)
  if (!signature.split(' ').includes(expected)) {
    throw new CliError(
      'invalid',
      'The signature is not valid for this body, these headers, and this secret.',
      {
        hint: 'The body must be byte for byte as received.',
      },
    )
  }
  const age = now - sentAt.getTime()
  if (Math.abs(age) <= maxAgeMs) return sentAt.toISOString()
  const minutes = Math.round(Math.abs(age) / 60_000)
  const when = age > 0 ? `${minutes} minutes ago` : `${minutes} minutes in the future`
  throw new CliError('invalid', `The signature is valid, but from ${when}: a receiver must reject it.`, {
    hint: 'To check a saved one, pass --any-age.',
  })
}

async function sign(secret: string, id: string, sentAt: Date, payload: string): Promise<string> {
  const { Webhook } = await import('standardwebhooks')
  try {
    return new Webhook(secret).sign(id, sentAt, payload)
  } catch {
    throw usage('The secret is not a webhook secret: it must be whsec_ followed by base64.')
  }
}

export type HeaderOptions = { headers?: string; id?: string; timestamp?: string; signature?: string }

type SignedHeaders = { id: string; timestamp: string; signature: string }

/** Flags win over the file of headers. Throws `usage` naming what is missing. */
export async function signedHeaders(io: Io, options: HeaderOptions): Promise<SignedHeaders> {
  const found = options.headers === undefined ? {} : await readHeaders(io, options.headers)
  const headers = {
    id: options.id ?? found['webhook-id'],
    timestamp: options.timestamp ?? found['webhook-timestamp'],
    signature: options.signature ?? found['webhook-signature'],
  }
  const missing = Object.entries(headers).filter(([, value]) => !value)
  if (missing.length === 0) return headers as SignedHeaders
  const names = missing.map(([name]) => `--${name}`).join(', ')
  throw usage(`missing: ${names}.`, 'Give them, or the headers of the request with --headers.')
}

async function readHeaders(io: Io, file: string): Promise<Record<string, string>> {
  const text = (await readInput(io, file)).toString().trimStart()
  const entries = text.startsWith('{') ? jsonEntries(text, file) : lineEntries(text)
  return Object.fromEntries(entries.map(([name, value]) => [name.trim().toLowerCase(), value.trim()]))
}

function jsonEntries(text: string, file: string): Array<[string, string]> {
  try {
    const headers = JSON.parse(text) as Record<string, unknown>
    return Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(' ') : String(value),
    ])
  } catch (error) {
    throw usage(`${file} is not valid JSON: ${(error as Error).message}.`)
  }
}

function lineEntries(text: string): Array<[string, string]> {
  return text.split(/\r?\n/).flatMap((line): Array<[string, string]> => {
    const at = line.indexOf(':')
    return at <= 0 ? [] : [[line.slice(0, at), line.slice(at + 1)]]
  })
}

export type SecretOptions = { secretFile?: string; secretStdin?: boolean }

/** From a file, stdin, CUSTODY_WEBHOOK_SECRET or a prompt. Throws `usage` if there is none. */
export async function readSecret(session: Session, options: SecretOptions): Promise<string> {
  const secret = await secretGiven(session, options)
  if (secret !== undefined) return secret
  return given(await askSecret(session, { flag: '--secret-file', message: 'Secret (whsec_…)' }), 'The answer')
}

export async function secretGiven({ io }: Session, options: SecretOptions): Promise<string | undefined> {
  const { secretFile, secretStdin } = options
  rejectTwo({ '--secret-file': secretFile, '--secret-stdin': secretStdin })
  if (secretFile !== undefined) return given((await readInput(io, secretFile)).toString(), secretFile)
  if (secretStdin) return given((await readInput(io, '-')).toString(), '--secret-stdin')
  const { CUSTODY_WEBHOOK_SECRET } = io.env
  return CUSTODY_WEBHOOK_SECRET ? given(CUSTODY_WEBHOOK_SECRET, 'CUSTODY_WEBHOOK_SECRET') : undefined
}

function given(text: string, where: string): string {
  const secret = unquoted(text)
  if (secret === '') throw usage(`${where} contains no secret.`)
  return secret
}
