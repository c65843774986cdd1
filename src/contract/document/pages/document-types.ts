/** The parts of an OpenAPI document that a page shows. */
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

export type Content = Record<
  string,
  { schema: Schema; example?: unknown; examples?: Record<string, { summary: string; value: unknown }> }
>

type Parameter = { name: string; in: string; required?: boolean; description: string; schema: Schema }

export type Answer = {
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

/** An operation with where it is. */
export type Placed = { method: string; path: string; operation: Described }

export function operationsOf(document: Document): Placed[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

/** What is referred to, or the thing itself. */
export function resolved<T extends object>(document: Document, part: T | { $ref: string }): T {
  if (!('$ref' in part) || typeof part.$ref !== 'string') return part as T
  const names = part.$ref.split('/').slice(1)
  return names.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], document) as T
}
