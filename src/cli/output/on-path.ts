import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Io } from '../base/io.ts'

export function isOnPath(name: string, env: Io['env']): boolean {
  const folders = name.includes('/') ? [''] : (env.PATH ?? '').split(delimiter)
  return folders.some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
