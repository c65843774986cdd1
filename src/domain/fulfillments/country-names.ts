import { once } from '../../contract/once.ts'
import { isCountryCode, nameKey } from './iso-countries.ts'

/** Names in the languages of the exports, from Unicode's tables. */
const codes = once(() => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const all = letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountryCode)
  const named = ['ja', 'nl', 'it', 'es', 'fr', 'de', 'en'].flatMap((language) => {
    const names = new Intl.DisplayNames([language], { type: 'region' })
    return all.map((code) => [nameKey(names.of(code) ?? code), code] as const)
  })
  const british = ['uk', 'great britain', 'england'].map((name) => [name, 'GB'] as const)
  const ofEbay = [
    ['hong kong', 'HK'],
    ['czech republic', 'CZ'],
    ['korea, south', 'KR'],
  ] as const
  return new Map([...named, ...british, ...ofEbay, ['usa', 'US']])
})

export function countryNamed(name: string): string | undefined {
  return codes().get(nameKey(name))
}

export function countryName(code: string): string {
  return new Intl.DisplayNames(['en'], { type: 'region' }).of(code) ?? code
}
