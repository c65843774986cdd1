import type { Settings } from './context.ts'

/** The countries shipped to unless set otherwise (decisions 5). */
const servedByDefault =
  'US CA MX GB IE FR DE ES PT IT NL BE LU AT CH SE NO DK FI PL CZ AU NZ JP KR SG HK TW AE'.split(' ')

export const defaultSettings: Settings = {
  servedCountries: new Set(servedByDefault),
  closeGraceDays: 7,
}
