import { askSecret } from '../ask/ask.ts'
import { usage } from '../base/cli-error.ts'
import { readInput } from '../base/input-file.ts'
import type { Session } from '../command.ts'

export type SecretOptions = { secretFile?: string; secretStdin?: boolean }

/** A webhook's secret: from a file, stdin, CUSTODY_WEBHOOK_SECRET or a prompt. Throws `usage` if there is none. */
export async function readSecret(session: Session, options: SecretOptions): Promise<string> {
  const secret = await secretGiven(session, options)
  if (secret !== undefined) return secret
  return given(await askSecret(session, { flag: '--secret-file', message: 'Secret (whsec_…)' }), 'The answer')
}

/** The same without the prompt: undefined if none is given. */
export async function secretGiven({ io }: Session, options: SecretOptions): Promise<string | undefined> {
  const { secretFile, secretStdin } = options
  if (secretFile !== undefined && secretStdin)
    throw usage('--secret-file and --secret-stdin exclude each other.')
  if (secretFile !== undefined) return given((await readInput(io, secretFile)).toString(), secretFile)
  if (secretStdin) return given((await readInput(io, '-')).toString(), '--secret-stdin')
  const { CUSTODY_WEBHOOK_SECRET } = io.env
  return CUSTODY_WEBHOOK_SECRET ? given(CUSTODY_WEBHOOK_SECRET, 'CUSTODY_WEBHOOK_SECRET') : undefined
}

function given(text: string, where: string): string {
  const secret = text.trim()
  if (secret === '') throw usage(`${where} holds no secret.`)
  return secret
}
