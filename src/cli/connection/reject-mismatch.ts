import type { Reply } from '../../contract/call.ts'
import { CliError } from '../base/cli-error.ts'

/** A replayed answer to different content is not the answer to this request (decisions 4). */
export function rejectMismatch({ headers }: Reply): void {
  if (headers['idempotency-mismatch'] !== 'true') return
  throw new CliError(
    'conflict',
    'The idempotency key was already used for another request; nothing was done.',
    { hint: 'Give another --idempotency-key.' },
  )
}
