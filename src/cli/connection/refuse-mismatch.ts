import type { Reply } from '../../contract/call.ts'
import { CliError } from '../base/cli-error.ts'

/** The answer is the one to other content: taking it for the answer to this would be wrong (decisions 4). */
export function refuseMismatch({ headers }: Reply): void {
  if (headers['idempotency-mismatch'] !== 'true') return
  throw new CliError(
    'conflict',
    'The idempotency key was used before for something else; nothing was done.',
    { hint: 'Give another --idempotency-key; for a file, --again makes a new one.' },
  )
}
