import { expect, test } from 'vitest'
import { statesOfZip } from '../../src/domain/csv/row-lint.ts'
import { stateCodes } from '../../src/domain/fulfillments/iso-countries.ts'

/** A post office of each state, by USPS. */
const offices =
  'AA:34002 AE:09012 AK:99501 AL:36104 AP:96201 AR:72201 AS:96799 AZ:85001 CA:95814 CO:80202 CT:06103 DC:20001 ' +
  'DE:19901 FL:32301 GA:30303 GU:96910 HI:96813 IA:50309 ID:83702 IL:62701 IN:46225 KS:66603 KY:40601 LA:70802 ' +
  'MA:02201 MD:21401 ME:04330 MI:48933 MN:55102 MO:65101 MP:96950 MS:39205 MT:59623 NC:27601 ND:58501 NE:68502 ' +
  'NH:03301 NJ:08608 NM:87501 NV:89701 NY:12207 OH:43215 OK:73102 OR:97301 PA:17101 PR:00901 RI:02903 SC:29217 ' +
  'SD:57501 TN:37219 TX:78701 UT:84111 VA:23219 VI:00802 VT:05602 WA:98507 WI:53703 WV:25301 WY:82001'

test('each state has the ZIP code of its capital', () => {
  const told = offices.split(' ').map((entry) => entry.split(':') as [string, string])
  expect(told.filter(([state, zip]) => statesOfZip(zip).join() !== state)).toEqual([])
  const known = new Set([...told.map(([state]) => state), 'UM'])
  expect([...(stateCodes('US') ?? [])].filter((state) => !known.has(state))).toEqual([])
})

test.each([
  ['73301', ['OK', 'TX']],
  ['73344', ['OK', 'TX']],
  ['73302', ['OK']],
  ['88510', ['TX']],
  ['88310', ['NM']],
  ['00501', ['NY']],
  ['06390', ['CT', 'NY']],
  ['05501', ['MA', 'VT']],
  ['20101', ['VA']],
  ['20301', ['DC']],
  ['56901', ['DC']],
  ['39901', ['GA']],
  ['83414', ['ID', 'WY']],
  ['96799-1234', ['AS']],
  ['00000', []],
  ['21302', ['MD']],
  ['34000', ['AA']],
  ['21999', ['MD']],
  ['42800', []],
])('%s is in %j', (zip, states) => {
  expect(statesOfZip(zip).toSorted()).toEqual(states)
})

test('no three digits belong to two states, except for a few codes', () => {
  const doubled: string[] = []
  for (let zip = 0; zip < 100_000; zip++) {
    const code = String(zip).padStart(5, '0')
    if (statesOfZip(code).length > 1) doubled.push(code)
  }
  expect(doubled).toEqual(['05501', '05544', '06390', '73301', '73344', '83414'])
})
