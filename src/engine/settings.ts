import { countriesServedByDefault } from '../domain/fulfillments/destinations.ts'
import type { Settings } from './context.ts'

export const defaultSettings: Settings = {
  servedCountries: countriesServedByDefault,
  closeGraceDays: 7,
  repeatsDays: 400,
}
