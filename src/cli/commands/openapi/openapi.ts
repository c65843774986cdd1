import type { CommandFile, Session } from '../../command.ts'

export const command: CommandFile<[]> = {
  summary: 'Print the OpenAPI document',
  examples: ['openapi > openapi.json'],
  isOffline: true,
  isPlain: true,
  run,
}

/** The same bytes as `GET /openapi.json`. */
async function run(session: Session): Promise<void> {
  const { openApiText } = await import('../../../contract/document/openapi.ts')
  session.io.out.write(openApiText())
}
