/** How many attempts run at once in this process. */
export type DeliveryLimits = {
  /** In all. */
  overall: number
  /** Of one partner, so that no partner's receivers take all there are. */
  scope: number
  /** To one host and port, so that a slow receiver delays no other. */
  endpoint: number
}

export const defaultLimits: DeliveryLimits = { overall: 128, scope: 32, endpoint: 8 }

export type Place = { scopeId: number; endpoint: string }

export type DeliverySlots = {
  /** How many attempts may begin there now; a receiver that fails gets one at a time until it has answered well again. */
  free(place: Place, isFailing: boolean): number
  running(endpoint: string): number
  /** Whether partners wait for one another. */
  isFull(): boolean
  take(place: Place): void
  giveBack(place: Place): void
}

export function createDeliverySlots(limits: DeliveryLimits): DeliverySlots {
  let overall = 0
  const scopes = new Map<number, number>()
  const endpoints = new Map<string, number>()
  return {
    free({ scopeId, endpoint }, isFailing) {
      const atEndpoint = isFailing ? 1 : limits.endpoint
      const left = [
        limits.overall - overall,
        limits.scope - (scopes.get(scopeId) ?? 0),
        atEndpoint - (endpoints.get(endpoint) ?? 0),
      ]
      return Math.max(0, Math.min(...left))
    },
    running: (endpoint) => endpoints.get(endpoint) ?? 0,
    isFull: () => overall >= limits.overall,
    take({ scopeId, endpoint }) {
      overall += 1
      bump(scopes, scopeId, 1)
      bump(endpoints, endpoint, 1)
    },
    giveBack({ scopeId, endpoint }) {
      overall -= 1
      bump(scopes, scopeId, -1)
      bump(endpoints, endpoint, -1)
    },
  }
}

function bump<K>(counts: Map<K, number>, key: K, by: number): void {
  const n = (counts.get(key) ?? 0) + by
  if (n === 0) counts.delete(key)
  else counts.set(key, n)
}
