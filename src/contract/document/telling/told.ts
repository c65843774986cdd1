import type * as z from 'zod/mini'

/** What the document says of a schema beyond its form. */
export type Told = {
  schema: z.ZodMiniType
  description: string
  /** Of an object's fields. */
  fields: Readonly<Record<string, string>>
  examples: readonly unknown[]
}

type Fields<S extends z.ZodMiniType> = { readonly [Name in keyof z.output<S>]-?: string }

/** Of an object: it does not compile while a field is not described. */
export function object<S extends z.ZodMiniType>(
  schema: S,
  description: string,
  fields: Fields<S>,
  ...examples: [z.input<S>, ...z.input<S>[]]
): Told {
  return { schema, description, fields, examples }
}

/** Of a vocabulary: it does not compile while a word is not described. */
export function words<S extends z.ZodMiniType<string, string>>(
  schema: S,
  description: string,
  meanings: Readonly<Record<z.input<S>, string>>,
): Told {
  const list = Object.entries(meanings).map(([word, meaning]) => `- \`${word}\`: ${meaning}`)
  return {
    schema,
    description: `${description}\n\n${list.join('\n')}`,
    fields: {},
    examples: Object.keys(meanings).slice(0, 1),
  }
}

/** Of what is one of several. */
export function oneOf<S extends z.ZodMiniType>(
  schema: S,
  description: string,
  ...examples: [z.input<S>, ...z.input<S>[]]
): Told {
  return { schema, description, fields: {}, examples }
}
