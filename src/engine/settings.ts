import { closeGraceDaysDefault, repeatsDaysDefault } from '../contract/limits.ts'
import { countriesServedByDefault } from '../domain/fulfillments/destinations.ts'
import type { Settings } from './context.ts'

export const defaultSettings: Settings = {
  servedCountries: countriesServedByDefault,
  repeatsDays: repeatsDaysDefault,
  closeGraceDays: closeGraceDaysDefault,
}
