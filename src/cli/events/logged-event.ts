import type { WebhookEvent } from '../../contract/resources/event.ts'

/** `text`: the JSON byte for byte as the service sent it, because it is signed and passed on. */
export type LoggedEvent = { event: WebhookEvent; text: () => string }

type PageAnswer = { data: { results: readonly WebhookEvent[] }; text: string }

/** Locates the texts only once one is asked for: printing needs none. */
export function loggedEvents({ data, text }: PageAnswer): LoggedEvent[] {
  let texts: readonly string[] | undefined
  const textAt = (index: number): string => {
    texts ??= resultTexts(text)
    return texts[index] ?? JSON.stringify(data.results[index])
  }
  return data.results.map((event, index) => ({ event, text: () => textAt(index) }))
}

/** JSON strings and structural characters. An unterminated string matches too, so that the search continues after it. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{},]/gs

export function resultTexts(page: string): string[] {
  const texts: string[] = []
  let depth = 0
  let name = ''
  let start = -1
  for (const { 0: token, index } of page.matchAll(tokens)) {
    if (token.startsWith('"')) {
      if (depth === 1) name = token
      continue
    }
    const isEnd = token === ']' || token === '}'
    if (start >= 0 && depth === 2 && (token === ',' || isEnd)) {
      const text = page.slice(start, index).trim()
      if (text !== '') texts.push(text)
      start = isEnd ? -1 : index + 1
    }
    if (token === '[' && depth === 1 && name === '"results"') start = index + 1
    if (depth === 1 && token === ',') name = ''
    if (token !== ',') depth += isEnd ? -1 : 1
  }
  return texts
}
