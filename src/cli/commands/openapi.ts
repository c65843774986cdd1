import type { Document } from '../../contract/document/api-pages.ts'
import { didYouMean, usage } from '../base/cli-error.ts'
import type { LoneCommand } from '../command.ts'

export const openapi: LoneCommand<[]> = {
  examples: ['openapi > openapi.json'],
  isOffline: true,
  isPlain: true,
  async run(session) {
    const { openApiText } = await import('../../contract/document/openapi.ts')
    session.io.out.write(openApiText())
  },
}

/** The same bytes as `GET /openapi.json`. */
export const docs: LoneCommand<[string | undefined]> = {
  details: 'Prints Markdown, as in docs/api/: purpose, arguments, and answers, with examples.',
  examples: ['docs', 'docs submitManifest | less'],
  define: (docs) => docs.argument('[operation]', 'Name of the operation, as in the list'),
  isOffline: true,
  isPlain: true,
  async run(session, operation) {
    const { openApiDocument } = await import('../../contract/document/openapi.ts')
    const { apiPages } = await import('../../contract/document/api-pages.ts')
    const pages = apiPages(openApiDocument() as Document)
    const page = pages.get(operation === undefined ? 'README.md' : `${operation}.md`)
    const names = [...pages.keys()].map((file) => file.replace(/\.md$/, ''))
    if (page === undefined)
      throw usage(
        `There is no operation named "${operation}".`,
        didYouMean(operation ?? '', names, 'See: custody docs'),
      )
    session.io.out.write(page)
  },
}
