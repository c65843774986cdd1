import type { Session } from '../command.ts'
import type { Target } from '../connection/target-type.ts'

/** Says who sends what was queued: with a database as the target, nothing is sent by itself. */
export function noticeSender({ notice }: Session, { file }: Target): void {
  if (file === undefined) return
  notice(`Queued; it is sent while the service runs over this database: custody serve --database ${file}`)
}
