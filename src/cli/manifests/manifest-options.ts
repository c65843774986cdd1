import type { ImportOptions } from '../imports/import-options.ts'

export type ManifestOptions = ImportOptions & {
  reference: string
  source?: string
  arrivesFrom?: string
  arrivesBy?: string
  strict?: boolean
  offline?: boolean
}
