import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder, ownerOnly, replaceFile } from '../base/durable-file.ts'
import type { Failure } from '../base/failure.ts'
import type { Io } from '../base/io.ts'
import { withoutKeys } from '../base/rejected-secrets.ts'
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
  try {
    const path = pathOf(io)
    makeFolder(dirname(path))
    replaceFile(path, `${JSON.stringify(fault)}\n`, ownerOnly)
  } catch {
    // A full disk or no home folder: the fault itself is reported anyway.
  }
}

export function lastFault(io: Io): LastFault | undefined {
  try {
    return JSON.parse(readFileSync(pathOf(io), 'utf8')) as LastFault
  } catch {
    return undefined
  }
}

function pathOf({ env }: Io): string {
  return join(stateFolder(env), 'last-fault.json')
}
