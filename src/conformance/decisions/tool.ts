import type { Hidden } from '../check.ts'

const file = 'test/conformance/tool.test.ts'

/** Decisions 11 on the tool: no service shows it. */
export const toolDecisions: readonly Hidden[] = [
  {
    clause: 'D11-6',
    text: 'close, cancel, rm, reset and revoke ask on a terminal; elsewhere they need --yes',
    coveredBy: `${file}: what cannot be undone needs --yes where nobody can be asked`,
  },
  {
    clause: 'D11-7',
    text: 'a named database that is not there is made empty by writes and filled by sandbox seed; reads end with 8',
    coveredBy: `${file}: a named database that is not there is made empty by writes and filled by sandbox seed; reads end with 8`,
  },
  {
    clause: 'D11-8',
    text: 'rows that fail the local check are reported and the good ones sent, exit 9; nothing sendable: exit 6',
    coveredBy: `${file}: rows that fail the local check are reported, the good ones are sent: exit 9`,
  },
  {
    clause: 'D11-9',
    text: '--arrives-by with a CSV submits through POST /manifests after the local check, and says so',
    coveredBy: `${file}: --arrives-by with a CSV submits through POST /manifests, and says so`,
  },
  {
    clause: 'D11-10',
    text: 'a 404 on an extension is exit 10 only where the service shows that the operation is not there; else 4',
    coveredBy: `${file}: a 404 on an extension is exit 10 where its document shows that it is not there, else 4`,
  },
  {
    clause: 'D11-11',
    text: 'a damaged cursor file: exit 6, nothing is skipped',
    coveredBy: `${file}: a damaged cursor file is an error, exit 6, and nothing is skipped`,
  },
]
