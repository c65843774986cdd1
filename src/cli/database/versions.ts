import { schemaVersion } from '../../store/schema-version.ts'

export type Versions = { custody: string; schema: number; node: string; sqlite: string; platform: string }

export function versions(): Versions {
  const { sqlite = '' } = process.versions as Record<string, string>
  return {
    custody: CUSTODY_VERSION,
    schema: schemaVersion,
    node: process.version,
    sqlite,
    platform: `${process.platform} ${process.arch}`,
  }
}
