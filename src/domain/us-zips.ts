import { once } from '../contract/once.ts'

/**
 * First three digits of each state's ZIP codes, and whole codes that are exceptions, by Google's address data (libaddressinput,
 * sub_zips of US). The states are those of USPS, with military mail.
 */
const table =
  'AA:340 AE:090-099 AK:995-999 AL:350-369 AP:962-966 AR:716-729 AS:96799 AZ:850-869 CA:900-961 CO:800-819 CT:060-069 ' +
  'DC:200,202-205,569 DE:197-199 FL:320-339,341-349 FM:96941-96944 GA:300-319,398,39901 GU:96910-96929,96931,96932 ' +
  'HI:96700-96798,968 IA:500-529 ID:832-839 IL:600-629 IN:460-479 KS:660-679 KY:400-427 LA:700-715 MA:010-027,05501,05544 ' +
  'MD:206-219 ME:039-049 MH:96960-96979 MI:480-499 MN:550-567 MO:630-659 MP:96950-96952 MS:386-397 MT:590-599 ' +
  'NC:270-289 ND:580-589 NE:680-699 NH:030-038 NJ:070-089 NM:870-884 NV:889-899 NY:00501,00544,06390,100-149 ' +
  'OH:430-459 OK:730-749 OR:970-979 PA:150-196 PR:006,007,009 PW:96939,96940 RI:028,029 SC:290-299 SD:570-579 ' +
  'TN:370-385 TX:73301,73344,750-799,885 UT:840-849 VA:201,220-246 VI:008 VT:050-059 WA:980-994 WI:530-549 ' +
  'WV:247-269 WY:820-831,83414'

type Range = { state: string; from: number; to: number }

const ranges = once((): readonly Range[] =>
  table.split(' ').flatMap((entry) => {
    const [state = '', codes = ''] = entry.split(':')
    return codes.split(',').map((code) => {
      const [from = '', to = from] = code.split('-')
      return { state, from: Number(from.padEnd(5, '0')), to: Number(to.padEnd(5, '9')) }
    })
  }),
)

export function statesOfZip(zip: string): string[] {
  const code = Number(zip.slice(0, 5))
  return ranges()
    .filter(({ from, to }) => code >= from && code <= to)
    .map(({ state }) => state)
}
