import { pageSizeMax } from '../limits.ts'
/** The API's pages by file name: one for each operation, the list of operations, and `llms.txt`. */
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

/** The operations by subject, in the order that suits a newcomer. */
function listPage(document: Document, placed: readonly Placed[]): string {
  const subjects = document.tags.map(({ name, description }) => {
    const lines = of(name, placed).map(
      ({ method, path, operation: { operationId, summary } }) =>
        `- [${operationId}](${operationId}.md) \`${method} /v1${path}\`: ${summary}`,
    )
    return `## ${name}\n\n${description}\n\n${lines.join('\n')}`
  })
  const events = Object.entries(document.webhooks).map(([type, { post }]) => `- \`${type}\`: ${post.summary}`)
  const posted = `## webhooks\n\nEvents that are posted to the subscriptions you create with [createSubscription](createSubscription.md).\n\n${events.join('\n')}`
  return `# API reference\n\nGenerated from \`custody openapi\` by \`npm run docs\`, one page for each operation.\n\n${[...subjects, posted].join('\n\n')}\n`
}

function llmsText(document: Document, placed: readonly Placed[]): string {
  const rules = [
    'Send the API key as `X-API-Key`. Every POST needs an `Idempotency-Key`; retrying with the same one is safe.',
    `Lists take \`page\` and \`page_size\` (at most ${pageSizeMax}). Read events by cursor, with \`starting_after\`.`,
    'Errors are `{ code, message, extra }`; `extra.fields` names every invalid field. After a 429 or 503, wait for the seconds in `Retry-After`.',
    'Unknown fields and parameters are rejected. A QID is opaque. Accept unknown item statuses.',
    'In a sandbox, the operations under `/sandbox` simulate arrivals, fulfillments, and time.',
  ]
  const subjects = document.tags.map(({ name }) => {
    const lines = of(name, placed).map(
      ({ method, path, operation: { operationId, summary } }) =>
        `- [${operationId}](${operationId}.md): ${method} /v1${path}: ${summary}`,
    )
    return `## ${name}\n\n${lines.join('\n')}`
  })
  return `# ${document.info.title}\n\n> ${document.info.description}\n\n${rules.map((rule) => `- ${rule}`).join('\n')}\n\n${subjects.join('\n\n')}\n\n## Optional\n\n- [The whole OpenAPI document](README.md): \`GET /v1/openapi.json\`, or \`custody openapi\`\n`
}

function of(name: string, placed: readonly Placed[]): Placed[] {
  return placed.filter(({ operation }) => operation.tags.includes(name))
}

/** One operation as a Markdown page: its purpose, request and responses, with examples. */
function operationPage(document: Document, { method, path, operation }: Placed): string {
  const { operationId, description, requestBody } = operation
  return [
    `# ${operationId}`,
    `\`${method} /v1${path}\``,
    description,
    operation['x-extension']
      ? 'Extension: another service with this interface may not offer this operation and return 404.'
      : '',
    ...parametersPart(document, { method, path, operation }),
    ...(requestBody ? ['## Request body', ...contentPart(document, requestBody.content)] : []),
    ...answersPart(document, operation.responses),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n')
}

function parametersPart(document: Document, { operation }: Placed): string[] {
  const rows = operation.parameters
    .map((parameter) => resolved(document, parameter))
    .map(({ name, in: place, required, schema, description }) => [
      `\`${name}\``,
      place,
      typeOf(schema),
      required ? 'yes' : '',
      description,
    ])
  return ['## Parameters', table(['name', 'in', 'type', 'required', 'description'], rows)]
}

function contentPart(document: Document, content: Content): string[] {
  return Object.entries(content).flatMap(([type, { schema, example, examples = {} }]) => [
    `\`${type}\`: ${typeOf(schema)}`,
    ...fieldsPart(document, schema),
    ...(example === undefined ? [] : [json(example)]),
    ...Object.values(examples).flatMap(({ summary, value }) => [`${summary}:`, json(value)]),
  ])
}

/** The fields of a schema, or of the rows if it has a file. */
function fieldsPart(document: Document, schema: Schema): string[] {
  const { description, properties, required = [], oneOf } = resolved(document, schema)
  if (oneOf) return [description ?? '', `One of ${oneOf.map(typeOf).join(', ')}.`]
  if (!properties) return []
  const rows = Object.entries(properties).map(([name, field]) => [
    `\`${name}\``,
    typeOf(field),
    required.includes(name) ? 'yes' : '',
    field.description ?? '',
  ])
  const { contentSchema } = (properties.file ?? {}) as { contentSchema?: { items: Schema } }
  return [
    table(['field', 'type', 'required', 'description'], rows),
    ...(contentSchema
      ? [
          `Each row of the file (\`${typeOf(contentSchema.items)}\`):`,
          ...fieldsPart(document, contentSchema.items),
        ]
      : []),
  ]
}

function answersPart(document: Document, responses: Placed['operation']['responses']): string[] {
  const answers = Object.entries(responses).map(
    ([status, answer]) => [status, resolved(document, answer)] as const,
  )
  const successes = answers.filter(([status]) => status < '300')
  const others = answers.filter(([status]) => status >= '300')
  return [
    ...successes.flatMap(([status, answer]) => successPart(document, status, answer)),
    '## Other responses',
    table(
      ['status', 'when', 'example'],
      others.map(([status, { description, content }]) => [status, description, exampleOf(content)]),
    ),
  ]
}

function successPart(
  document: Document,
  status: string,
  { description, headers = {}, content = {}, links = {} }: Answer,
): string[] {
  const leads = Object.values(links).map(
    ({ operationId, description: why }) => `- [${operationId}](${operationId}.md): ${why}`,
  )
  return [
    `## ${status}`,
    description,
    ...contentPart(document, content),
    `Headers: ${Object.keys(headers)
      .map((name) => `\`${name}\``)
      .join(', ')}.`,
    ...(leads.length > 0 ? ['Next steps:', leads.join('\n')] : []),
  ]
}

function exampleOf(content: Content = {}): string {
  const example = content['application/json']?.example as { code: string; message: string } | undefined
  return example ? `\`${example.code}\`: ${example.message}` : ''
}

/** As in `ItemStatus`, `string (date-time) or null`, `list of ManifestLine`. */
function typeOf(schema: Schema): string {
  const { $ref, type, format, items, anyOf, oneOf, enum: words, const: only } = schema
  if ($ref) return $ref.split('/').at(-1) ?? ''
  const either = anyOf ?? oneOf
  if (either) return either.map(typeOf).join(' or ')
  if (items) return `list of ${typeOf(items)}`
  if (only !== undefined) return `\`${only}\``
  if (words) return words.map((word) => `\`${word}\``).join(', ')
  const plain = [type ?? 'any'].flat().join(' or ')
  return format ? `${plain} (${format})` : plain
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}

export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  const?: unknown
}

type Content = Record<
  string,
  { schema: Schema; example?: unknown; examples?: Record<string, { summary: string; value: unknown }> }
>

type Parameter = { name: string; in: string; required?: boolean; description: string; schema: Schema }

type Answer = {
  description: string
  headers?: Record<string, { $ref: string }>
  content?: Content
  links?: Record<string, { operationId: string; description: string }>
}

type Described = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  'x-extension'?: boolean
  parameters: Array<Parameter | { $ref: string }>
  requestBody?: { content: Content }
  responses: Record<string, Answer | { $ref: string }>
}

export type Document = {
  info: { title: string; description: string }
  tags: Array<{ name: string; description: string }>
  paths: Record<string, Record<string, Described>>
  webhooks: Record<string, { post: Described }>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    responses: Record<string, Answer>
  }
}

export type Placed = { method: string; path: string; operation: Described }

export function operationsOf(document: Document): Placed[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

/** Follows a reference; returns anything else unchanged. */
export function resolved<T extends object>(document: Document, part: T | { $ref: string }): T {
  if (!('$ref' in part) || typeof part.$ref !== 'string') return part as T
  const names = part.$ref.split('/').slice(1)
  return names.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], document) as T
}
