import { entriesOf } from '../check.ts'

const file = 'test/conformance/tool.test.ts'

/** Decisions 11 about the command-line tool, which no service can show. */
export const toolDecisions = entriesOf({
  'D11-6 close, cancel, rm, reset and revoke ask on a terminal; elsewhere they need --yes': `${file}: what cannot be undone needs --yes where nobody can be asked`,
  'D11-7 a named database that is not there is made empty by writes and filled by sandbox seed; reads end with 8': `${file}: a named database that is not there is made empty by writes and filled by sandbox seed; reads end with 8`,
  'D11-8 rows that fail the local check are reported and the good ones sent, exit 9; nothing sendable: exit 6': `${file}: rows that fail the local check are reported, the good ones are sent: exit 9`,
  'D11-9 --arrives-by with a CSV submits through POST /manifests after the local check, and says so': `${file}: --arrives-by with a CSV submits through POST /manifests, and says so`,
  'D11-10 a 404 on an extension is exit 10 only where the service shows that the operation is not there; else 4': `${file}: a 404 on an extension is exit 10 where its document shows that it is not there, else 4`,
  'D11-11 a damaged cursor file: exit 6, nothing is skipped': `${file}: a damaged cursor file is an error, exit 6, and nothing is skipped`,
})
