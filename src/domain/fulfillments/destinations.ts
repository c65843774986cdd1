import type { FieldErrors } from '../rejection.ts'
import { countryNamed } from './country-names.ts'
import { isCountryCode, stateCodes, stateMeant, upperCode } from './iso-countries.ts'

interface Destination {
  country: string
  state: string
  zip: string
}

/** `unsupported_destination` never comes with another error. */
export interface DestinationFault {
  code: 'validation_error' | 'unsupported_destination'
  fields: FieldErrors
}

interface CheckedDestination extends Destination {
  fault: DestinationFault | null
}

export const countriesServedByDefault: ReadonlySet<string> = new Set(
  'US CA MX GB IE FR DE ES PT IT NL BE LU AT CH SE NO DK FI PL CZ AU NZ JP KR SG HK TW AE'.split(' '),
)

/**
 * Upper-cases the country, and the state of US, CA and AU (decisions 5, 11). A code that does not exist is a validation_error,
 * one that is not in `served` an unsupported_destination. Callers check presence and length.
 */
export function checkDestination(given: Destination, served: ReadonlySet<string>): CheckedDestination {
  const country = upperCode(given.country)
  if (!isCountryCode(country)) return refused(given, 'validation_error', unknownCountry(given, country))
  const normal = { country, state: normalState(country, given.state), zip: given.zip.trim() }
  if (!served.has(country)) {
    return refused(normal, 'unsupported_destination', { country: [`"${country}" is not served`] })
  }
  const fields = placeFaults(country, given)
  return Object.keys(fields).length === 0
    ? { ...normal, fault: null }
    : refused(normal, 'validation_error', fields)
}

function refused(
  destination: Destination,
  code: DestinationFault['code'],
  fields: FieldErrors,
): CheckedDestination {
  return { ...destination, fault: { code, fields } }
}

/** Also checks the state and the ZIP code in the country that is meant, so that one correction is enough. */
function unknownCountry(given: Destination, code: string): FieldErrors {
  const meant = code === 'EN' ? 'GB' : countryNamed(given.country)
  const advice = meant === undefined ? 'use two letters such as US' : `use ${meant}`
  return {
    country: [`"${given.country}" is not a country code of ISO 3166-1: ${advice}`],
    ...(meant && placeFaults(meant, given)),
  }
}

function placeFaults(country: string, { state, zip }: Destination): FieldErrors {
  return { ...stateFault(country, state), ...zipFault(country, zip.trim()) }
}

function normalState(country: string, state: string): string {
  return stateCodes(country) === undefined ? state.trim() : upperCode(state)
}

function stateFault(country: string, state: string): FieldErrors {
  const codes = stateCodes(country)
  if (codes === undefined || codes.has(upperCode(state))) return {}
  const [example] = codes
  const advice = `use ${stateMeant(state, country) ?? `one such as ${example}`}`
  return { state: [`"${state}" is not a state code of ${country}: ${advice}`] }
}

function zipFault(country: string, zip: string): FieldErrors {
  if (country !== 'US' || /^\d{5}(?:-?\d{4})?$/.test(zip)) return {}
  const advice = /^\d{3,4}$/.test(zip)
    ? `write ${zip.padStart(5, '0')} in a column formatted as text: a spreadsheet may have dropped leading zeros`
    : 'use 02134 or 02134-1000'
  return { zip: [`"${zip}" is not a US zip of 5 or 9 digits: ${advice}`] }
}
