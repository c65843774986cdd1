import { verifyWebhook, type WebhookRequest, WebhookVerificationError } from '../../client/verify-webhook.ts'
import { parsedJson } from '../../contract/call.ts'
import type { WebhookEvent } from '../../contract/resources/event.ts'
import { askSecret } from '../ask/ask.ts'
import { CliError, rejectTwo, usage } from '../base/cli-error.ts'
import { readInput } from '../base/input-file.ts'
import type { Io } from '../base/io.ts'
import { unquoted } from '../base/shell-word.ts'
import type { Session } from '../command.ts'

/** Throws `invalid`, or `usage` for headers or a secret that cannot be those of a webhook. */
export async function verifySignature(request: WebhookRequest & { headers: Headers }): Promise<WebhookEvent> {
  try {
    return await verifyWebhook(request)
  } catch (error) {
    if (error instanceof TypeError)
      throw usage('The secret is not a webhook secret: it must be whsec_ followed by base64.')
    if (!(error instanceof WebhookVerificationError)) throw error
    const { reason, message } = error
    if (reason === 'headers')
      throw usage(`"${request.headers['webhook-timestamp']}" is not a time in seconds, as in 1777626000.`)
    const hint = reason === 'timestamp' ? 'To check a saved one, pass --any-age.' : undefined
    throw new CliError('invalid', message, { hint })
  }
}

export type HeaderOptions = { headers?: string; id?: string; timestamp?: string; signature?: string }

type Headers = Record<string, string>

/** Flags win over the file of headers. Throws `usage` naming what is missing. */
export async function headersFrom(io: Io, options: HeaderOptions): Promise<Headers> {
  const found = options.headers === undefined ? {} : await readHeaders(io, options.headers)
  const names = ['id', 'timestamp', 'signature'] as const
  const headers = names.map((name) => [name, options[name] ?? found[`webhook-${name}`]] as const)
  const missing = headers.flatMap(([name, value]) => (value ? [] : `--${name}`))
  if (missing.length === 0)
    return Object.fromEntries(headers.map(([name, value = '']) => [`webhook-${name}`, value]))
  throw usage(`missing: ${missing.join(', ')}.`, 'Give them, or the headers of the request with --headers.')
}

/** Header lines, or a JSON object. */
async function readHeaders(io: Io, file: string): Promise<Headers> {
  const text = (await readInput(io, file)).toString().trimStart()
  const lines = text.split(/\r?\n/).map((line) => /^([^:]+):(.*)$/.exec(line) ?? [])
  const headers = text.startsWith('{')
    ? (parsedJson(text) as Record<string, unknown> | undefined)
    : Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]))
  if (headers === undefined) throw usage(`${file} is not valid JSON.`)
  const textOf = (value: unknown) => [value].flat().join(' ').trim()
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [textOf(name).toLowerCase(), textOf(value)]),
  )
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
