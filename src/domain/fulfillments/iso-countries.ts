/** Codes of ISO 3166, as literals because loading the data package takes 12 ms. A test compares them with it. */

/** ISO 3166-1 alpha-2: every assigned code. */
const countries = codeSet(
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS ' +
    'BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE ' +
    'EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM ' +
    'HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC ' +
    'LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA ' +
    'NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
    'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO ' +
    'TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW',
)

/** ISO 3166-2 of the countries whose state is checked (decisions 5), and US military mail, which is addressed like a state. */
const namesOfStates = {
  US: 'Alabama:AL Alaska:AK Arizona:AZ Arkansas:AR California:CA Colorado:CO Connecticut:CT Delaware:DE Florida:FL Georgia:GA Hawaii:HI Idaho:ID Illinois:IL Indiana:IN Iowa:IA Kansas:KS Kentucky:KY Louisiana:LA Maine:ME Maryland:MD Massachusetts:MA Michigan:MI Minnesota:MN Mississippi:MS Missouri:MO Montana:MT Nebraska:NE Nevada:NV New_Hampshire:NH New_Jersey:NJ New_Mexico:NM New_York:NY North_Carolina:NC North_Dakota:ND Ohio:OH Oklahoma:OK Oregon:OR Pennsylvania:PA Rhode_Island:RI South_Carolina:SC South_Dakota:SD Tennessee:TN Texas:TX Utah:UT Vermont:VT Virginia:VA Washington:WA West_Virginia:WV Wisconsin:WI Wyoming:WY District_of_Columbia:DC Washington_DC:DC Puerto_Rico:PR Guam:GU American_Samoa:AS Northern_Mariana_Islands:MP Virgin_Islands:VI US_Minor_Outlying_Islands:UM Armed_Forces_Americas:AA Armed_Forces_Europe:AE Armed_Forces_Pacific:AP',
  CA: 'Alberta:AB British_Columbia:BC Manitoba:MB New_Brunswick:NB Newfoundland_and_Labrador:NL Nova_Scotia:NS Northwest_Territories:NT Nunavut:NU Ontario:ON Prince_Edward_Island:PE Quebec:QC Québec:QC Saskatchewan:SK Yukon:YT',
  AU: 'Australian_Capital_Territory:ACT New_South_Wales:NSW Northern_Territory:NT Queensland:QLD South_Australia:SA Tasmania:TAS Victoria:VIC Western_Australia:WA',
}

type States = { codes: ReadonlySet<string>; byName: ReadonlyMap<string, string> }

const states: ReadonlyMap<string, States> = new Map(
  Object.entries(namesOfStates).map(([country, names]) => {
    const pairs = names.split(' ').map((pair) => pair.replaceAll('_', ' ').split(':'))
    const byName = new Map(pairs.map(([name = '', code = '']) => [name.toLowerCase(), code]))
    return [country, { byName, codes: new Set(byName.values()) }]
  }),
)

/** Countries whose addresses name a state, by Google's address data (libaddressinput). A test compares them with it. */
const withStates = codeSet(
  'AE AM AR AS AU BB BR BS BY CA CC CL CN CO CR CU CV CX EE EG ES FM HK HM HN ID IE IN IQ IR IT JM JP ' +
    'KI KN KP KR KY KZ LT LV MH MN MP MX MY MZ NF NG NI NR PA PE PF PG PH PW RO RU SC SO SR SV TH TR TV ' +
    'TW UA UM US UY UZ VE VI VN',
)

export function hasNoStates(country: string): boolean {
  return countries.has(country) && !withStates.has(country)
}

export function stateNamed(name: string, country: string): string | undefined {
  return states.get(country)?.byName.get(nameKey(name))
}

/** Also reads a code with dots, and three or more letters with which only one state's name begins, as in `Mass.`. */
export function stateMeant(text: string, country: string): string | undefined {
  const key = nameKey(text)
  const named = [...(states.get(country)?.byName ?? [])]
  const same = named.find(([name, code]) => name === key || code === upperCode(key))
  if (same || key.length < 3) return same?.[1]
  const begun = new Set(named.flatMap(([name, code]) => (name.startsWith(key) ? code : [])))
  return begun.size === 1 ? [...begun][0] : undefined
}

export function nameKey(text: string): string {
  return text.trim().toLowerCase().replaceAll('.', '')
}

/** Changes ASCII letters only: others may become ASCII in upper case, as ß becomes SS. */
export function upperCode(text: string): string {
  return text.trim().replace(/[a-z]+/g, (letters) => letters.toUpperCase())
}

export function isCountryCode(code: string): boolean {
  return countries.has(code)
}

export function stateCodes(country: string): ReadonlySet<string> | undefined {
  return states.get(country)?.codes
}

function codeSet(codes: string): ReadonlySet<string> {
  return new Set(codes.split(' '))
}
