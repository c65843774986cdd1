import type { Client } from '../../client/client.ts'
import type { Environment } from '../../contract/enums.ts'

export type Holder = { partner: string | undefined; environment: Environment | undefined }

/** What commands talk to: a service, or a database in this process; they cannot tell which. */
export type Target = {
  client: Client
  /** Undefined if nobody has said which one a service serves. */
  environment: Environment | undefined
  /** Whose data they are, for pages. A service is asked; one of another make may not say. */
  holder(): Promise<Holder>
  /** Its name for people. */
  label: string
  /**
   * Identifies the data, wherever they are reached from: keys, journals and cursors depend on it. It tells the partners of a
   * database apart, but of services only the addresses.
   */
  identity: string
  /** A service, of which version and make nothing is known. */
  isService: boolean
  /** The file of an embedded database; undefined where there is none. */
  file: string | undefined
  close(): Promise<void>
}
