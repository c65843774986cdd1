import type { ServerResponse } from 'node:http'

/** A receiver's answers, held until they are released. */
export function heldBack() {
  const held: ServerResponse[] = []
  return {
    held,
    answer: (response: ServerResponse): void => {
      held.push(response)
    },
    letGo: (status: number): void => {
      for (const response of held.splice(0)) response.writeHead(status).end()
    },
  }
}
