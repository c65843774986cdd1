import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder, ownerOnly, replaceFile } from '../base/durable-file.ts'
import type { Failure } from '../base/failure.ts'
import type { Io } from '../base/io.ts'
import { withoutKeys } from '../base/rejected-secrets.ts'
import { ifPossible } from '../base/system-fault.ts'
import { stateFolder } from '../connection/target-settings.ts'

/** Keeps no arguments: they name customers and files. */
type LastFault = { at: string; command: string; message: string; request_id?: string; stack?: string }

export function saveFault(io: Io, command: string, { message, requestId, stack }: Failure): void {
  const fault: LastFault = {
    at: new Date(io.now()).toISOString(),
    command,
    message: withoutKeys(message),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(stack !== undefined && { stack: withoutKeys(stack) }),
  }
  // It may fail on a full disk or without a home folder: the fault itself is reported anyway.
  ifPossible(() => {
    const path = pathOf(io)
    makeFolder(dirname(path))
    replaceFile(path, `${JSON.stringify(fault)}\n`, ownerOnly)
  })
}

export function lastFault(io: Io): LastFault | undefined {
  return ifPossible(() => JSON.parse(readFileSync(pathOf(io), 'utf8')) as LastFault)
}

function pathOf({ env }: Io): string {
  return join(stateFolder(env), 'last-fault.json')
}
