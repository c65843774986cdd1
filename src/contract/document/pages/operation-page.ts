import {
  type Answer,
  type Content,
  type Document,
  type Placed,
  resolved,
  type Schema,
} from './document-types.ts'

/** One operation as a page of Markdown: what it is for, what it takes, what it answers, an example of each. */
export function operationPage(document: Document, { method, path, operation }: Placed): string {
  const { operationId, description, requestBody } = operation
  return [
    `# ${operationId}`,
    `\`${method} /v1${path}\``,
    description,
    operation['x-extension'] ? 'An extension: another service of this interface may not offer it (404).' : '',
    ...parametersPart(document, { method, path, operation }),
    ...(requestBody ? ['## Body', ...contentPart(document, requestBody.content)] : []),
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
  return ['## Parameters', table(['name', 'in', 'type', 'required', 'what it is'], rows)]
}

function contentPart(document: Document, content: Content): string[] {
  return Object.entries(content).flatMap(([type, { schema, example, examples = {} }]) => [
    `\`${type}\`: ${typeOf(schema)}`,
    ...fieldsPart(document, schema),
    ...(example === undefined ? [] : [json(example)]),
    ...Object.values(examples).flatMap(({ summary, value }) => [`${summary}:`, json(value)]),
  ])
}

/** The fields of a schema; those of its rows where it holds a file. */
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
    table(['field', 'type', 'required', 'what it is'], rows),
    ...(contentSchema
      ? [
          `A row of the file (\`${typeOf(contentSchema.items)}\`):`,
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
    '## Other answers',
    table(
      ['status', 'when', 'as in'],
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
    ...(leads.length > 0 ? ['What to do with it:', leads.join('\n')] : []),
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
