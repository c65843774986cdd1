import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeSecret, secretBytes } from '../../domain/webhooks/webhook-signature.ts'
import { runtime } from '../../runtime/runtime.ts'
import { sha256 } from '../base/crypto.ts'
import { makeFolder, ownerOnly, replaceFile } from '../base/durable-file.ts'
import { faultText } from '../base/system-fault.ts'
import type { Session } from '../command.ts'
import { stateFolder } from '../connection/target-settings.ts'

/** One secret per target and address, saved so that the receiver is set up only once; if saving fails, valid for this run. */
export async function forwardSecret(
  session: Session,
  url: URL,
  isPrinted: boolean | undefined,
): Promise<string> {
  const { identity } = await session.target()
  const own = '(use your own with --secret-file)'
  try {
    const name = sha256(`${identity} ${url.href}`, 40)
    const file = join(stateFolder(session.io.env), 'forward-secrets', name)
    const found = kept(file)
    const secret = found ?? keep(file)
    const isShown = found === undefined || isPrinted
    session.notice(
      `Signing with the secret saved for this address${isShown ? `: ${secret} ${own}` : ' (--print-secret shows it)'}`,
    )
    return secret
  } catch (error) {
    const secret = newSecret()
    session.notice(`Warning: the secret cannot be saved (${faultText(error)}).`)
    session.notice(`Signing with a new secret for this run: ${secret} ${own}`)
    return secret
  }
}

function kept(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

function keep(file: string): string {
  const secret = newSecret()
  makeFolder(dirname(file))
  replaceFile(file, `${secret}\n`, ownerOnly)
  return secret
}

function newSecret(): string {
  return makeSecret(runtime.random(secretBytes))
}
