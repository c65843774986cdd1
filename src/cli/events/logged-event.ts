import type { WebhookEvent } from '../../contract/resources/event.ts'
import { resultTexts } from './result-texts.ts'

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
