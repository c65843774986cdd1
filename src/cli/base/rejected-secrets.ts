import { Option } from 'commander'
import { type CliError, usage } from './cli-error.ts'

type SecretKind = { what: string; instead: string }

const keyKind: SecretKind = {
  what: 'An API key',
  instead: 'Set CUSTODY_API_KEY or CUSTODY_API_KEY_FILE, or run: custody init',
}
const namedKeyKind: SecretKind = {
  what: 'An API key',
  instead: 'Name it by its prefix or id; see: custody admin keys ls',
}
const secretKind: SecretKind = {
  what: 'A secret',
  instead: 'Give it with --secret-file, --secret-stdin, or CUSTODY_WEBHOOK_SECRET.',
}

/** Every command rejects --api-key: anyone who runs `ps` would see the key. */
export function rejectedKey(): Option {
  return rejectedOption('--api-key', keyKind)
}

export function rejectedSecret(): Option {
  return rejectedOption('--secret', secretKind)
}

function rejectedOption(flag: string, kind: SecretKind): Option {
  const option = new Option(`${flag} [value]`).hideHelp()
  return option.argParser(() => {
    throw exposed(flag, kind)
  })
}

function exposed(flag: string, { what, instead }: SecretKind): CliError {
  return usage(
    `${what} on the command line is visible to everyone on this machine: ${flag} is rejected.`,
    instead,
  )
}

/** Runs before any other check: `ps` and the shell's history show the word, and a message would repeat it. Throws `usage`. */
export function rejectSecrets(args: readonly string[]): void {
  for (const [index, word] of args.entries()) {
    const [found] = secretIn.exec(word) ?? []
    const flag = flagOf(word) ?? flagOf(`${args[index - 1] ?? ''}=`)
    if (found === undefined && flagOf(word) === undefined) continue
    const isSecret = found === undefined ? flag === '--secret' : found.startsWith('whsec_')
    if (isSecret) throw exposed(flag ?? 'it', secretKind)
    throw exposed(flag ?? 'it', args.includes('admin') ? namedKeyKind : keyKind)
  }
}

/** True for an address with a password, before the host or in a parameter. */
function holdsPassword(word: string): boolean {
  const [, rest = ''] = word.split(/\bpostgres(?:ql)?:\/\//i, 2)
  return /^[^/?#\s:@]*:[^@\s]+@/.test(rest) || /[?&]password=./i.test(rest)
}

export function passwordWarning(args: readonly string[]): string | undefined {
  if (!args.some(holdsPassword)) return undefined
  return (
    'everyone on this machine can see a password on the command line. ' +
    'Leave it out of the address and set PGPASSWORD, or give the whole address as CUSTODY_DATABASE.'
  )
}

/** Longer than the display prefix, so that keys can be named by it; short enough to recognise a truncated key. */
const secretIn = /sk_(?:sandbox|live)_[0-9A-Za-z]{8}|whsec_[0-9A-Za-z+/=_-]{8}/

const secretStart = /(?:sk_(?:sandbox|live)_|whsec_)[0-9A-Za-z+/=_-]*/g

export function holdsSecret(text: string): boolean {
  return secretIn.test(text)
}

export function withoutKeys(text: string): string {
  return text.replace(secretStart, (secret) => '*'.repeat(secret.length))
}

function flagOf(word: string): string | undefined {
  return /^(--api-key|--secret)=/.exec(word)?.[1]
}
