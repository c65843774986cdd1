import { once } from '../../contract/once.ts'
import { isCountryCode } from './iso-countries.ts'

/** Names of countries, in the languages of the exports, are the ones that Unicode's tables have. */
const codes = once(() => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const all = letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountryCode)
  const named = ['ja', 'nl', 'it', 'es', 'fr', 'de', 'en'].flatMap((language) => {
    const names = new Intl.DisplayNames([language], { type: 'region' })
    return all.map((code) => [nameKey(names.of(code) ?? code), code] as const)
  })
  const others = ['uk', 'great britain', 'england'].map((name) => [name, 'GB'] as const)
  return new Map([...named, ...others, ['usa', 'US']])
})

/** The ISO 3166-1 code of a country by its name, as in "Deutschland" or "USA"; undefined for any other text. */
export function countryNamed(name: string): string | undefined {
  return codes().get(nameKey(name))
}

/** The English name of a country by its code. */
export function countryName(code: string): string {
  return new Intl.DisplayNames(['en'], { type: 'region' }).of(code) ?? code
}

function nameKey(text: string): string {
  return text.trim().toLowerCase().replaceAll('.', '')
}
