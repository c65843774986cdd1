import type { Client } from '../../client/client.ts'
import type { Environment } from '../../contract/enums.ts'

export type Holder = { partner: string | undefined; environment: Environment | undefined }

/** A service, or a database in this process; commands cannot tell which. */
export type Target = {
  client: Client
  /** Undefined for a service whose environment is not configured. */
  environment: Environment | undefined
  /** Whose data it is, for pages. Queries a service; other implementations may not say. */
  holder(): Promise<Holder>
  label: string
  /** Keys and cursors depend on it. Tells the partners of a database apart, but services only by their addresses. */
  identity: string
  /** Its version and implementation are unknown. */
  isService: boolean
  file: string | undefined
  /** What the last answers lack, after an unexpected error. A database has no other author to name. */
  answerFault?(): Promise<Error | undefined>
  close(): Promise<void>
}
