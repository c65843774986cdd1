import type { Client } from '../../client/client.ts'
import type { Environment } from '../../contract/enums.ts'

/** What commands talk to: a service, or a database in this process; they cannot tell which. */
export type Target = {
  client: Client
  /** Undefined where nobody has said which one a service serves. */
  environment: Environment | undefined
  /** Whose data they are, as this machine knows it: of a service, the name of the profile. */
  partner: string | undefined
  /** As people are told of it. */
  label: string
  /**
   * The same for the same data, wherever they are reached from: keys, journals and cursors hang on it. Of a database it
   * tells partners apart, of a service only addresses.
   */
  identity: string
  /** Tells the keys of a service apart, whose partners nothing else does; gives nothing of a key away. */
  keyMark: string | undefined
  /** The file of an embedded database; undefined where there is none. */
  file: string | undefined
  close(): Promise<void>
}
