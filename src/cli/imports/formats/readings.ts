import { isCountryCode } from '../../../domain/fulfillments/iso-countries.ts'
import type { Reading } from './presets/preset.ts'

/** What eBay's upload templates write for a grader. */
const graderNumbers: Readonly<Record<string, string>> = {
  275010: 'PSA',
  275011: 'BCCG',
  275012: 'BVG',
  275013: 'BGS',
  275014: 'CSG',
  275015: 'CGC',
  275016: 'SGC',
  275017: 'KSA',
  275018: 'GMA',
  275019: 'HGA',
}

const usStates =
  'Alabama:AL Alaska:AK Arizona:AZ Arkansas:AR California:CA Colorado:CO Connecticut:CT Delaware:DE Florida:FL Georgia:GA Hawaii:HI Idaho:ID Illinois:IL Indiana:IN Iowa:IA Kansas:KS Kentucky:KY Louisiana:LA Maine:ME Maryland:MD Massachusetts:MA Michigan:MI Minnesota:MN Mississippi:MS Missouri:MO Montana:MT Nebraska:NE Nevada:NV New_Hampshire:NH New_Jersey:NJ New_Mexico:NM New_York:NY North_Carolina:NC North_Dakota:ND Ohio:OH Oklahoma:OK Oregon:OR Pennsylvania:PA Rhode_Island:RI South_Carolina:SC South_Dakota:SD Tennessee:TN Texas:TX Utah:UT Vermont:VT Virginia:VA Washington:WA West_Virginia:WV Wisconsin:WI Wyoming:WY District_of_Columbia:DC Washington_DC:DC Puerto_Rico:PR Guam:GU American_Samoa:AS Northern_Mariana_Islands:MP Virgin_Islands:VI'

const stateCodes = new Map(
  usStates.split(' ').map((pair) => {
    const [name = '', code = ''] = pair.split(':')
    return [name.replaceAll('_', ' ').toLowerCase(), code] as const
  }),
)

/** Reads a cell that is not empty. An unknown text stays as it is: the check of the row names it. */
export function read(text: string, as: Reading): string {
  switch (as) {
    case 'grader':
      return graderOf(text)
    case 'country':
      return countryCodes().get(countryKey(text)) ?? text
    case 'state':
      return stateCodes.get(text.trim().toLowerCase().replaceAll('.', '')) ?? text
    case 'code':
      // Shopify's mark that keeps a spreadsheet from taking it for a number.
      return text.replace(/^'/, '')
  }
}

/** "PSA 10", "CGC Pristine 10", "Professional Sports Authenticator (PSA)", "275010". Of what names no grader: nothing. */
function graderOf(text: string): string {
  const [word = ''] =
    /\b(?:PSA|BGS|BVG|BCCG|CGC|CSG|SGC|TAG|ACE|HGA|GMA|KSA|AGS|ISA|PCA|Beckett)\b/i.exec(text) ?? []
  return graderNumbers[text.trim()] ?? (/^beckett$/i.test(word) ? 'BGS' : word.toUpperCase())
}

/** Countries whose addresses have no state: their formats in Google's address data (libaddressinput) are without %S. */
const stateless = new Set(
  'AT AX BA BE BG CH CZ DE DK EE FI FO FR GB GL GR HR HU IL IS LI LU MC MK MT NL NO NZ PL PT RS SE SG SI SK ZA'.split(
    ' ',
  ),
)

/** `country`: two letters. */
export function hasNoStates(country: string): boolean {
  return stateless.has(country)
}

let codes: ReadonlyMap<string, string> | undefined

/** Names of countries, in the languages of the exports, are the ones that Unicode's tables have. */
function countryCodes(): ReadonlyMap<string, string> {
  codes ??= new Map([
    ...countryNames(),
    ['usa', 'US'],
    ['uk', 'GB'],
    ['great britain', 'GB'],
    ['england', 'GB'],
  ])
  return codes
}

function* countryNames(): Generator<[string, string]> {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const all = letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountryCode)
  for (const language of ['ja', 'nl', 'it', 'es', 'fr', 'de', 'en']) {
    const names = new Intl.DisplayNames([language], { type: 'region' })
    for (const code of all) yield [countryKey(names.of(code) ?? code), code]
  }
}

function countryKey(text: string): string {
  return text.trim().toLowerCase().replaceAll('.', '')
}
