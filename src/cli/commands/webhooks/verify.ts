import { signatureMinutesMax } from '../../../contract/limits.ts'
import { usage } from '../../base/cli-error.ts'
import { readInput } from '../../base/input-file.ts'
import { rejectedSecret } from '../../base/rejected-secrets.ts'
import type { CommandFile } from '../../command.ts'
import { columnsOf, type View } from '../../output/columns.ts'
import {
  type HeaderOptions,
  headersFrom,
  readSecret,
  type SecretOptions,
  verifySignature,
} from '../../webhooks/verify-signature.ts'

type Options = SecretOptions & HeaderOptions & { anyAge?: boolean }

export const command: CommandFile<[string, Options]> = {
  summary: 'Check the signature of a received webhook',
  details:
    'The file must contain the body exactly as received. The secret comes from --secret-file, --secret-stdin, CUSTODY_WEBHOOK_SECRET, or a prompt.\n' +
    `Exits 6 if the signature is not valid or older than ${signatureMinutesMax} minutes.`,
  examples: [
    'webhooks verify body.json --headers headers.txt --secret-file webhook.secret',
    'webhooks verify - --id ID --timestamp 1777626000 --signature v1,K5oZ... --any-age < body.json',
  ],
  define: (verify) =>
    verify
      .argument('<file>', 'File with the body; - for stdin')
      .option('--headers <file>', 'File with the request headers: one per line, or a JSON object')
      .option('--id <id>', 'Value of the header webhook-id')
      .option('--timestamp <seconds>', 'Value of the header webhook-timestamp')
      .option('--signature <signatures>', 'Value of the header webhook-signature')
      .option('--secret-file <file>', 'File with the secret')
      .option('--secret-stdin', 'Read the secret from stdin')
      .option('--any-age', 'Accept old signatures too')
      .addOption(rejectedSecret()),
  isOffline: true,
  view: () => view,
  async run(session, file, options) {
    const { io } = session
    if (file === '-' && options.secretStdin) throw usage('stdin cannot be both the body and the secret.')
    const headers = await headersFrom(io, options)
    const body = await readInput(io, file)
    const secret = await readSecret(session, options)
    const anyAge = options.anyAge && { toleranceSeconds: Number.POSITIVE_INFINITY }
    const event: { type?: string } | null = await verifySignature({ headers, body, secret, ...anyAge })
    const result: Verified = {
      signature: 'valid',
      id: headers['webhook-id'] ?? '',
      type: event?.type ?? null,
      sent_at: new Date(Number(headers['webhook-timestamp']) * 1000).toISOString(),
    }
    await (await session.printer()).one(result)
  },
}

type Verified = { signature: 'valid'; id: string; type: string | null; sent_at: string }

const view: View = {
  columns: columnsOf<Verified>('signature', 'id', 'type', { name: 'sent_at', title: 'sent' }),
}
