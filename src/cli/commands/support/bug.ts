import { failureOf } from '../../base/failure.ts'
import { withoutKeys } from '../../base/rejected-secrets.ts'
import { plainStyle } from '../../base/style.ts'
import { visible } from '../../base/terminal-text.ts'
import type { LoneCommand, Session } from '../../command.ts'
import { targetSettings } from '../../connection/target-settings.ts'
import { versions } from '../../database/versions.ts'
import { type Check, checkLines, failed } from '../../doctor/check.ts'
import { checkTarget } from '../../doctor/check-target.ts'
import { lastFault } from '../../doctor/last-fault.ts'

export const command: LoneCommand<[]> = {
  details:
    'Prints versions, the checks of custody doctor, and the last command that failed for another reason than its input. ' +
    'Keys and passwords are left out; addresses, file names, and the message are included. Sends nothing.',
  examples: ['bug', 'bug --profile northgate > report.txt'],
  isPlain: true,
  run,
}

async function run(session: Session): Promise<void> {
  const { io } = session
  const { custody, schema, node, sqlite, platform } = versions()
  const checks = withoutKeys(await checkLines(await checksOf(session), plainStyle))
  io.out.write(
    `custody ${custody}, database schema ${schema}, Node.js ${node}, SQLite ${sqlite}, ${platform}\n\n` +
      `Checks:\n${indented(checks)}\nLast fault:\n${indented(faultText(session))}\n`,
  )
  session.notice('Read it, then send it to whoever runs your service, or as SECURITY.md of the package says.')
}

async function checksOf({ io, options }: Session): Promise<readonly Check[]> {
  try {
    return (await checkTarget(io, targetSettings(io, options), options)).checks
  } catch (error) {
    return [failed('target', failureOf(error))]
  }
}

function faultText({ io }: Session): string {
  const fault = lastFault(io)
  if (fault === undefined) return 'none\n'
  const { at, command: words, message, request_id, stack } = fault
  const lines = [`${at} ${words}: ${message}`]
  if (request_id !== undefined) lines.push(`request id: ${request_id}`)
  if (stack !== undefined) lines.push(...stack.split('\n'))
  return `${lines.map(visible).join('\n')}\n`
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ')
}
