import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Io } from '../base/io.ts'
import { ifPossible } from '../base/system-fault.ts'

export function isOnPath(name: string, env: Io['env']): boolean {
  const folders = name.includes('/') ? [''] : (env.PATH ?? '').split(delimiter)
  const mayRun = (path: string): boolean => {
    accessSync(path, constants.X_OK)
    return true
  }
  return folders.some((folder) => ifPossible(() => mayRun(join(folder, name))))
}
