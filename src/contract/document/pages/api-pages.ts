import { type Document, operationsOf, type Placed } from './document-types.ts'
import { operationPage } from './operation-page.ts'

/** The pages of the interface by their file names: one an operation, the list of them, and what a language model reads first. */
export function apiPages(document: Document): Map<string, string> {
  const placed = operationsOf(document)
  const pages = placed.map(
    (each) => [`${each.operation.operationId}.md`, operationPage(document, each)] as const,
  )
  return new Map([
    ...pages,
    ['README.md', listPage(document, placed)],
    ['llms.txt', llmsText(document, placed)],
  ])
}

/** The operations by subject, in the order of a first day. */
function listPage(document: Document, placed: readonly Placed[]): string {
  const subjects = document.tags.map(({ name, description }) => {
    const lines = of(name, placed).map(
      ({ method, path, operation: { operationId, summary } }) =>
        `- [${operationId}](${operationId}.md) \`${method} /v1${path}\`: ${summary}`,
    )
    return `## ${name}\n\n${description}\n\n${lines.join('\n')}`
  })
  const events = Object.entries(document.webhooks).map(([type, { post }]) => `- \`${type}\`: ${post.summary}`)
  const posted = `## webhooks\n\nWhat is posted to a subscription, as [createSubscription](createSubscription.md) makes it.\n\n${events.join('\n')}`
  return `# The interface\n\nMade from \`custody openapi\` by \`npm run docs\`, a page an operation.\n\n${[...subjects, posted].join('\n\n')}\n`
}

function llmsText(document: Document, placed: readonly Placed[]): string {
  const rules = [
    'Send the key as `X-API-Key`; every POST needs an `Idempotency-Key`, and a repetition with the same one is safe.',
    'Lists take `page` and `page_size` (250 at most); events are read by cursor with `starting_after`.',
    'Errors are `{ code, message, extra }`; `extra.fields` names every faulty field. After 429 and 503 wait for `Retry-After`.',
    'Unknown fields and parameters are refused. A QID is opaque. Take an unknown item status as it is.',
    'In a sandbox, arrivals, shipments and time are simulated below `/sandbox`.',
  ]
  const subjects = document.tags.map(({ name }) => {
    const lines = of(name, placed).map(
      ({ method, path, operation: { operationId, summary } }) =>
        `- [${operationId}](${operationId}.md): ${method} /v1${path}: ${summary}`,
    )
    return `## ${name}\n\n${lines.join('\n')}`
  })
  return `# ${document.info.title}\n\n> ${document.info.description}\n\n${rules.map((rule) => `- ${rule}`).join('\n')}\n\n${subjects.join('\n\n')}\n\n## Optional\n\n- [The whole document](README.md): \`GET /v1/openapi.json\`, or \`custody openapi\`\n`
}

function of(name: string, placed: readonly Placed[]): Placed[] {
  return placed.filter(({ operation }) => operation.tags.includes(name))
}
