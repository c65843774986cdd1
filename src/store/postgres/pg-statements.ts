import { createHash } from 'node:crypto'

/** Texts with few parameters are the queries that we write; those with many are a query for each length of a list. */
const fewParameters = 40
/** How many of each kind are prepared on a connection; others are planned each time. */
const namedMax = { few: 400, many: 60 }

/** The name of the prepared statement for a text; undefined if it is not worth one. */
export type StatementNames = (text: string, parameters: number) => string | undefined

/**
 * Statement names for the connections of one database. A name is derived from the text, so that it means the same on every
 * connection of every process, even behind a pooler.
 */
export function createStatementNames(): StatementNames {
  const names = { few: new Map<string, string>(), many: new Map<string, string>() }
  return (text, parameters) => {
    if (parameters === 0) return undefined
    const kind = parameters <= fewParameters ? 'few' : 'many'
    const known = names[kind].get(text)
    if (known) return known
    if (names[kind].size >= namedMax[kind]) return undefined
    const name = `custody_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
    names[kind].set(text, name)
    return name
  }
}
