import { type Command, Option } from 'commander'
import { withoutSecrets } from '../../client/base-url.ts'
import { rejectTwo, usage } from '../base/cli-error.ts'
import { rejectedSecret } from '../base/rejected-secrets.ts'
import type { Session } from '../command.ts'
import { proxyFor } from '../connection/proxy.ts'
import { wholeNumber } from '../find/filters.ts'
import { type SecretOptions, secretGiven } from '../webhooks/verify-signature.ts'
import { type FailurePolicy, failurePolicies, type Handler } from './on-failure.ts'

export type HandlerOptions = SecretOptions & {
  exec?: string
  forwardTo?: string
  insecureForward?: boolean
  printSecret?: boolean
  onFailure?: FailurePolicy
  concurrency?: string
}

export type HandlerPlan = {
  policy: FailurePolicy
  most: number
  open: (session: Session) => Promise<Handler>
}

/** A larger number is probably a typing mistake. */
const concurrencyMax = 100

export function addHandlerOptions(command: Command): Command {
  return command
    .optionsGroup('What to do with each event (default: print it):')
    .option('--exec <command>', "Run a shell command with the event's JSON on stdin")
    .option('--forward-to <url>', 'Post it, signed like a webhook')
    .option('--insecure-forward', 'Accept any certificate, for your own test receiver')
    .option('--print-secret', 'Print the secret that custody created for this address')
    .option('--secret-file <file>', 'File with the signing secret')
    .option('--secret-stdin', 'Read the secret from stdin')
    .addOption(rejectedSecret())
    .addOption(
      new Option('--on-failure <policy>', 'What to do if that fails (default: retry)').choices(
        failurePolicies,
      ),
    )
    .option('--concurrency <n>', 'Handle up to n at once, in any order (default: 1)')
}

/** Undefined if events are only printed. Throws `usage` naming the flag. */
export function handlerPlan(options: HandlerOptions): HandlerPlan | undefined {
  const { exec, forwardTo, onFailure = 'retry', concurrency } = options
  rejectTwo({ '--exec': exec, '--forward-to': forwardTo }, 'Run two tails, each with a cursor file.')
  if (forwardTo === undefined) rejectWithout('--forward-to', secretFlags(options))
  const most = concurrency === undefined ? 1 : wholeNumber(concurrency, '--concurrency', 1)
  if (most > concurrencyMax) throw usage(`--concurrency: "${concurrency}" is more than ${concurrencyMax}.`)
  // Imported on demand: printing needs neither processes nor cryptography.
  if (exec !== undefined) {
    const open = async ({ io }: Session) => (await import('./exec-handler.ts')).execHandler(exec, io)
    return { policy: onFailure, most, open }
  }
  if (forwardTo !== undefined) {
    const url = receiverUrl(forwardTo)
    return { policy: onFailure, most, open: (session) => openForwarding(session, url, options) }
  }
  rejectWithout('--exec or --forward-to', {
    '--on-failure': options.onFailure,
    '--concurrency': concurrency,
  })
  return undefined
}

function secretFlags(options: HandlerOptions): Record<string, unknown> {
  const { secretFile, secretStdin, insecureForward, printSecret } = options
  return {
    '--print-secret': printSecret,
    '--secret-file': secretFile,
    '--secret-stdin': secretStdin,
    '--insecure-forward': insecureForward,
  }
}

function rejectWithout(other: string, flags: Readonly<Record<string, unknown>>): void {
  for (const [flag, value] of Object.entries(flags)) {
    if (value !== undefined) throw usage(`${flag} needs ${other}.`)
  }
}

function receiverUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const hint = 'Give it as http://localhost:3000/hook.'
    throw usage(`--forward-to: "${withoutSecrets(text)}" is not an http or https address.`, hint)
  }
  if (url.username === '' && url.password === '') return url
  throw usage(
    '--forward-to: a name or password in the address is visible to everyone on this machine: it is rejected.',
    'Requests are signed, so the receiver can verify them.',
  )
}

async function openForwarding(session: Session, url: URL, options: HandlerOptions): Promise<Handler> {
  const given = await secretGiven(session, options)
  if (given !== undefined && !/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(given)) {
    throw usage('The secret is not a webhook secret: it must be whsec_ followed by base64.')
  }
  const { forwardHandler, forwardSecret } = await import('./forward-handler.ts')
  const secret = given ?? (await forwardSecret(session, url, options.printSecret))
  return forwardHandler({
    url,
    secret,
    now: () => session.io.now(),
    isTrusting: options.insecureForward,
    proxy: proxyFor(session.io.env, url.href),
  })
}
