import { createHash } from 'node:crypto'

/** Texts with few parameters are the queries that we write; those with many are a query for each length of a list. */
const fewParameters = 40
/** So many of each are prepared on every connection; those beyond are planned each time. */
const namedMax = { few: 400, many: 60 }

const names = { few: new Map<string, string>(), many: new Map<string, string>() }

/**
 * The name of the prepared statement with this text, undefined for one that is not worth a name. It is made of the text,
 * so that it means the same on every connection of every process, whoever lends them around.
 */
export function statementName(text: string, parameters: number): string | undefined {
  if (parameters === 0) return undefined
  const kind = parameters <= fewParameters ? 'few' : 'many'
  const known = names[kind].get(text)
  if (known) return known
  if (names[kind].size >= namedMax[kind]) return undefined
  const name = `custody_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
  names[kind].set(text, name)
  return name
}
