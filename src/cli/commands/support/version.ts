import type { LoneCommand, Session } from '../../command.ts'
import { type Versions, versions } from '../../database/versions.ts'
import { columnsOf, type View } from '../../output/columns.ts'

const names: ReadonlyArray<keyof Versions> = ['custody', 'schema', 'node', 'sqlite', 'platform']
const view: View = { columns: columnsOf<Versions>(...names.map((name) => ({ name }))) }

export const command: LoneCommand<[]> = {
  details: 'For the number alone: custody --version. schema: the version of databases that custody writes.',
  examples: ['version', 'version --json'],
  isOffline: true,
  view: () => view,
  run: async (session: Session) => (await session.printer()).one(versions()),
}
