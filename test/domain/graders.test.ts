import { expect, test } from 'vitest'
import {
  certKey,
  isSameCertificate,
  linkedCertificate,
  slabKey,
  slabName,
} from '../../src/domain/graders/certificate.ts'
import { gradeOn, graderKey, graders, readGrader } from '../../src/domain/graders/graders.ts'
import { slabFaults } from '../../src/domain/graders/slab-faults.ts'
import { seededRandom } from '../../src/testing/seeded-random.ts'
import { scale, seed } from '../support/soak.ts'

const psa = graders.find(({ name }) => name === 'PSA')!

test.each([
  ['48201934', '48201934'],
  [' 4820 1934 ', '48201934'],
  ['4820-1934', '48201934'],
  ['4820\u20131934', '48201934'],
  ['48\u00a0201934', '48201934'],
  ['\uff14\uff18201934', '48201934'],
  ['ab12', 'AB12'],
  ['0012', '12'],
  ['000', '0'],
  ['a0012', 'A0012'],
  ['#48201934', '48201934'],
  ['PSA 48201934', '48201934'],
  ['psa #48201934', '48201934'],
  ['PSA Cert #48201934', '48201934'],
  ['PSA 48201934123', 'PSA48201934123'],
  ['BGS 12345678', '12345678'],
  ['P.S.A. 48201934', '48201934'],
  ['Beckett 0013160314', '13160314'],
  ['B.G.S. 0013160314', '13160314'],
  ['PSA 1234567890', '1234567890'],
  ['TAG A1234567', 'A1234567'],
  ['PSA 9 48201934', '48201934'],
  ['PSA10 48201934', '48201934'],
  ['PSA 10 71000001', '71000001'],
  ['PSA Gem Mint 10 48201934', '48201934'],
  ['P.S.A. 8.5 - 48201934', '48201934'],
  ['P.S.A. 9.5 48201934', '48201934'],
  ['PSA-9-48201934', '48201934'],
  ['PSA 9/48201934', '48201934'],
  ['PSA 9 Cert #4820 1934', '48201934'],
  ['PSA 9 #48201934', '48201934'],
  ['BGS 9.5/10 0012345678', '12345678'],
  ['SGC 96 1234567', '1234567'],
  ['TAG 10 A1234567', 'A1234567'],
  ['HGA 9 12345', '12345'],
  ['HGA 12345', '12345'],
  ['Arena Club 777123', '777123'],
  ['PSA 48 201 934', '48201934'],
  ['PSA Cert #4 8201934', '48201934'],
  ['PSA 9 123456', 'PSA 9 123456'],
  ['PSA 9 4 8201934', 'PSA 9 4 8201934'],
  ['PSA 9.48201934', 'PSA9.48201934'],
  ['PSA 9 OC 48201934', '48201934'],
  ['PSA 10 GEM MT 48201934', '48201934'],
  ['PSA 9 (48201934)', '48201934'],
  ['PSA Cert 9 48201934', '48201934'],
  ['PSA Authentic 48201934', '48201934'],
  ['TAG 10 Pristine A1234567', 'A1234567'],
  ['BGS 9,5 0012345678', '12345678'],
  ['BGS Black Label 0012345678', '12345678'],
  ['\u211648201934', '48201934'],
  ['Cert. No. 48201934', '48201934'],
  ['(48201934)', '48201934'],
  ['PSA10 \u2013', 'PSA10'],
  ['BGS 9 12345678', 'BGS 9 12345678'],
  ['Cert #48201934', '48201934'],
  ['Certificate No. 0048201934', '48201934'],
  ['Cert', 'CERT'],
  ['48201934/10', '48201934/10'],
  ['#', '#'],
  ['#PSA 48201934', '48201934'],
  ['#Cert 48201934', '48201934'],
  ['12.34', '12.34'],
  ['https://www.psacard.com/cert/48201934/psa', '48201934'],
  ['psacard.com/cert/48201934', '48201934'],
  ['https://www.psacard.com/cert/0048201934', '48201934'],
  ['https://www.cgccards.com/certlookup/4123456-001/', '4123456001'],
  ['HTTPS://MY.TAGGRADING.COM/CARD/A1234567', 'A1234567'],
  ['https://www.beckett.com/grading/card-lookup?item_type=BGS&item_id=0012345678', '12345678'],
  ['https://www.gosgc.com/cert-code-lookup?certCode=1234567', '1234567'],
  ['https://acegrading.com/cert/338603', '338603'],
  ['https://agscard.com/feed/00809444/view', '809444'],
  ['https://example.com/cert/48201934', 'HTTPS://EXAMPLE.COM/CERT/48201934'],
])('the certificate %j is compared as %s', (text, key) => {
  expect(certKey(text)).toBe(key)
  expect(certKey(key)).toBe(key)
})

test.each([
  ['PSA', 'PSA', null],
  [' psa ', 'PSA', null],
  ['P.S.A.', 'PSA', null],
  ['PSA 10', 'PSA', '10'],
  ['PSA10', 'PSA', '10'],
  ['PSA Gem Mint 10', 'PSA', 'GEM MINT 10'],
  ['CGC Pristine 10', 'CGC', 'PRISTINE 10'],
  ['Professional Sports Authenticator (PSA)', 'PSA', null],
  ['Professional Sports Authenticator', 'PSA', null],
  ['Certified Guaranty Company (CGC)', 'CGC', null],
  ['Certified Guaranty Company (CGC) 9.5', 'CGC', '9.5'],
  ['Certified Guaranty', 'CGC', null],
  ['Certified Collectibles Group', 'CGC', null],
  ['Certified Sports Guaranty', 'CSG', null],
  ['Sportscard Guaranty Corporation (SGC)', 'SGC', null],
  ['Beckett (BGS)', 'BGS', null],
  ['Beckett Grading Services (BGS)', 'BGS', null],
  ['Beckett Vintage Grading (BVG)', 'BVG', null],
  ['Beckett (BCCG)', 'BCCG', null],
  ['ACE Grading Ltd', 'ACE', null],
  ['AGS Grading', 'AGS', null],
  ['Technical Authentication & Grading (TAG)', 'TAG', null],
  ['Technical Authentication and Grading', 'TAG', null],
  ['Hybrid Grading Approach', 'HGA', null],
  ['PSA Authentic Altered', 'PSA', 'AUTHENTIC ALTERED'],
  ['PSA Altered', 'PSA', 'ALTERED'],
  ['BGS Black Label', 'BGS', 'BLACK LABEL'],
  ['CGC 10 - Pristine', 'CGC', '10 - PRISTINE'],
  ['BGS 9,5', 'BGS', '9,5'],
  ['Beckett Authentication Services', 'BECKETT AUTHENTICATION', null],
  ['Beckett Authentication Services (BAS)', 'BECKETT AUTHENTICATION SERVICES BAS', null],
  ['Grading Company', 'GRADING', null],
  ['SGC Authentic', 'SGC', 'AUTHENTIC'],
  ['Beckett', 'BGS', null],
  ['BGS 9.5', 'BGS', '9.5'],
  ['BVG', 'BVG', null],
  ['BCCG', 'BCCG', null],
  ['CSG', 'CSG', null],
  ['Arena Club', 'ARENA CLUB', null],
  ['xyz', 'XYZ', null],
  ['XYZ 10', 'XYZ', '10'],
  ['K.S.A.', 'KSA', null],
  ['KSA Grading', 'KSA', null],
  ['KSA 9,5', 'KSA', '9,5'],
  ['K.S.A. Grading Services: 9.5', 'KSA', '9.5'],
  ['KSA 9 Grading 9', 'KSA', '9'],
  ['Rare-Edition', 'RARE EDITION', null],
  ['Top 100', 'TOP 100', null],
  ['???', '???', null],
  ['10', '10', null],
])('the grader %j is %s, and its grade %s', (text, name, grade) => {
  expect(readGrader(text)).toMatchObject({ name, grade })
  expect(graderKey(name)).toBe(name)
})

test.each([
  ['10', '10'],
  ['10.0', '10'],
  ['GEM MT 10', '10'],
  ['NM-MT+ 8.5', '8.5'],
  ['9 OC', '9 OC'],
  ['9(MK)', '9 MK'],
  ['Authentic', 'A'],
  ['Altered', 'AA'],
  ['9.5', undefined],
  ['9.7', undefined],
  ['11', undefined],
  ['0', undefined],
  ['Gem Mint', undefined],
  ['9 XX', undefined],
])('the grade %j of PSA is %s', (text, grade) => {
  expect(gradeOn(psa, text)).toBe(grade)
})

test.each([
  ['CGC', 'Pristine 10', '10 PRISTINE'],
  ['CGC', '10 Pristine', '10 PRISTINE'],
  ['CGC', '10 PRISTINE', '10 PRISTINE'],
  ['CGC', 'Perfect 10', '10 PERFECT'],
  ['CGC', 'Gem Mint 10', '10'],
  ['CGC', '10', '10'],
  ['BGS', 'Black Label 10', '10 BLACK LABEL'],
  ['BGS', 'Black Label Pristine 10', '10 BLACK LABEL'],
  ['BGS', 'Pristine 10', '10'],
  ['BGS', 'Black Label', '10 BLACK LABEL'],
  ['SGC', 'PRI 10', '10 PRISTINE'],
  ['BGS', '9,5', '9.5'],
  ['BGS', '9.5/10', '9.5'],
  ['PSA', '8 oc', '8 OC'],
  ['PSA', 'NM/MT 8', '8'],
  ['SGC', '10 Pristine', '10 PRISTINE'],
  ['PSA', 'Pristine 10', '10'],
])('%s: %s is %s', (name, text, grade) => {
  expect(gradeOn(readGrader(name).grader!, text)).toBe(grade)
})

test('each grader has its own scale', () => {
  const given = (grade: string) => graders.filter((each) => gradeOn(each, grade)).map(({ name }) => name)
  expect(given('9.5')).toEqual(['BGS', 'BVG', 'CGC', 'CSG', 'SGC', 'HGA', 'ARENA CLUB'])
  expect(given('9.8')).toEqual(['CGC'])
  expect(given('96')).toEqual(['SGC'])
  expect(given('10')).toHaveLength(graders.length)
  expect(given('11')).toEqual([])
})

test("a certificate's address names the grader, and Beckett's the service", () => {
  const beckett = 'https://www.beckett.com/grading/card-lookup?item_type=BVG&item_id=12'
  expect(slabKey({ cert_number: beckett })).toBe('BVG 12')
  expect(slabKey({ cert_number: 'psacard.com/cert/12' })).toBe('PSA 12')
  expect(linkedCertificate('48201934')).toBeUndefined()
  expect(slabKey({ cert_number: 'PSA 12345678' })).toBe('PSA 12345678')
  expect(
    isSameCertificate({ cert_number: beckett }, { grader: 'Beckett Vintage', cert_number: '0012' }),
  ).toBe(true)
  expect(isSameCertificate({ cert_number: beckett }, { grader: 'PSA', cert_number: '12' })).toBe(false)
  expect(isSameCertificate({ cert_number: beckett }, { grader: 'BGS', cert_number: '12' })).toBe(false)
  const unnamed = 'beckett.com/grading/card-lookup?item_id=12'
  const same = ['BGS', 'BVG', 'BCCG', 'PSA', 'CGC'].filter((grader) =>
    isSameCertificate({ cert_number: unnamed }, { grader, cert_number: '12' }),
  )
  expect(same).toEqual(['BGS', 'BVG', 'BCCG'])
})

test("a certificate is shown with its label's zeros", () => {
  expect(slabName({ grader: 'Beckett', cert_number: '12345678' })).toBe('BGS 0012345678')
  expect(slabName({ grader: 'psa', cert_number: '0048201934' })).toBe('PSA 48201934')
  expect(slabName({ grader: 'XYZ', cert_number: '0012' })).toBe('XYZ 12')
  expect(slabName({ grader: 'PSA', cert_number: 'PSA 9 123456' })).toBe('PSA 9 123456')
})

test.each([
  [{ grader: 'PSA', cert_number: '123' }, ['cert_number']],
  [{ grader: 'PSA', cert_number: '48201934123' }, ['cert_number!']],
  [{ grader: 'PSA', cert_number: '1234567' }, []],
  [{ grader: 'PSA', cert_number: '1234567890' }, []],
  [{ grader: 'P.S.A.', cert_number: 'P.S.A. 48201934' }, []],
  [{ grader: 'PSA', cert_number: '0000123' }, []],
  [{ grader: 'TAG', cert_number: 'A1234567' }, []],
  [{ grader: 'TAG', cert_number: '1234567' }, ['cert_number']],
  [{ grader: 'TAG', cert_number: '12345678' }, ['cert_number!']],
  [{ grader: 'SGC', cert_number: '123456789' }, ['cert_number']],
  [{ grader: 'SGC', cert_number: 'ABC1234' }, ['cert_number!']],
  [{ grader: 'PSA', cert_number: '48201934/10' }, ['cert_number!']],
  [{ grader: 'PSA', cert_number: 'PSA 48201934' }, []],
  [{ grader: 'PSA', cert_number: 'Cert #48201934' }, []],
  [{ grader: 'PSA', cert_number: 'PSA 10 48201934' }, []],
  [{ grader: 'PSA', cert_number: 'PSA 9/48201934' }, []],
  [{ grader: 'PSA', cert_number: 'PSA 9 123456' }, ['cert_number!']],
  [{ cert_number: 'PSA 9 123456' }, ['cert_number!']],
  [{ cert_number: 'PSA 9 48201934' }, []],
  [{ cert_number: '48201934' }, []],
  [{ grader: 'PSA', cert_number: 'PSA 9 OC 48201934' }, []],
  [{ cert_number: 'TAG 10 Pristine A1234567' }, []],
  [{ grader: 'PSA', cert_number: 'PSA 10' }, ['cert_number!']],
  [{ grader: 'PSA', cert_number: '48,201,934' }, ['cert_number!']],
  [{ grader: 'PSA', cert_number: 'n/a' }, ['cert_number!']],
  [{ grader: 'PSA', description: 'Charizard BGS 9.5' }, ['description']],
  [{ grader: 'PSA', description: 'Charizard psa 9' }, []],
  [{ grader: 'BGS', grade: '9,5' }, []],
  [{ grader: 'BGS', grade: '9.5/10' }, []],
  [{ grader: 'BGS Black Label' }, ['grader']],
  [{ grader: 'PSA Gem Mint' }, ['grade!']],
  [{ description: 'Charizard CGC Pristine 120 HP' }, []],
  [{ grader: 'CGC', cert_number: 'PSA 48201934' }, ['cert_number!']],
  [{ grader: 'PSA 10', grade: '9' }, ['grader', 'grade!']],
  [{ grader: 'PSA 10', grade: 'Gem Mint 10' }, ['grader']],
  [{ description: 'Portgas D. Ace 13 PSA 10' }, []],
  [{ grader: 'ACE', cert_number: '1234' }, ['cert_number']],
  [{ grader: 'ACE', cert_number: '12345' }, []],
  [{ grader: 'HGA', cert_number: '1' }, []],
  [{ grader: 'PSA', grade: '9 OC' }, []],
  [{ grader: 'PSA', grade: '9 XX' }, ['grade!']],
  [{ grader: 'XYZ', grade: '11' }, ['grader']],
  [{ grader: 'PSA 9.7' }, ['grade!']],
  [{ grader: 'PSA', cert_number: 'https://www.cgccards.com/certlookup/4123456789/' }, ['cert_number!']],
  [{ grader: 'PSA', cert_number: 'https://example.com/48201934' }, ['cert_number!']],
  [
    {
      grader: 'BGS',
      cert_number: 'https://www.beckett.com/grading/card-lookup?item_type=BVG&item_id=0012345678',
    },
    ['cert_number!'],
  ],
  [
    { grader: 'BGS', cert_number: 'https://www.beckett.com/grading/card-lookup?item_id=0012345678' },
    ['cert_number'],
  ],
  [{ grader: 'Beckett Authentication Services', grade: 'Authentic' }, ['grader']],
  [{ description: 'Charizard PSA 9.7' }, ['description']],
  [{ description: 'Charizard PSA Gem Mint' }, ['description']],
  [{ description: 'Charizard CGC Pristine 11' }, ['description']],
  [{ description: 'Charizard PSA Gem Mint 10, SGC 9' }, []],
  [{ description: 'PSA 1999 Pokemon Base Set 4/102' }, []],
  [{ description: 'Ace Spec 151, TAG TEAM 8/12' }, []],
  [{ description: 'BGS 4/102' }, []],
])('%j has in %j what no label says', (slab, fields) => {
  expect(slabFaults(slab).map(({ field, isCertain }) => field + (isCertain ? '!' : ''))).toEqual(fields)
})

/** Addresses of a certificate, as in QR codes. */
const addresses: Readonly<Record<string, (cert: string) => string>> = {
  PSA: (cert) => `https://www.psacard.com/cert/${cert}/psa`,
  CGC: (cert) => `https://www.cgccards.com/certlookup/${cert.slice(0, 7)}-${cert.slice(7)}/`,
  CSG: (cert) => `https://www.csgcards.com/certlookup/${cert}/`,
  SGC: (cert) => `https://www.gosgc.com/cert-code-lookup?certCode=${cert}`,
  TAG: (cert) => `https://my.taggrading.com/card/${cert}`,
  ACE: (cert) => `https://acegrading.com/cert/${cert}`,
  AGS: (cert) => `https://agscard.com/feed/${cert}/view`,
  ...Object.fromEntries(
    ['BGS', 'BVG', 'BCCG'].map((name) => [
      name,
      (cert: string) => `https://www.beckett.com/grading/card-lookup?item_type=${name}&item_id=${cert}`,
    ]),
  ),
}

/** Certificates as graders print them. */
function certificateOf(grader: (typeof graders)[number], n: number): string {
  if (grader.name === 'TAG') return `${String.fromCharCode(65 + (n % 26))}${String(n).padStart(7, '0')}`
  const [least] = grader.certificate?.digits ?? [8]
  return String(n).padStart(least, '0')
}

function wordings(name: string, dotted: string, printed: string, spelt: string): string[] {
  return [
    `${name} ${printed}`,
    `${name} Cert #${spelt.trim().replace('#', '')}`,
    `${name} 9 ${printed}`,
    `${name}10 ${printed}`,
    `${dotted}. 9.5 ${printed}`,
    `${name} Gem Mint 10 (${printed})`,
    `${name} 10 GEM MT ${spelt.trim()}`,
    `${name} Cert. No. ${printed}`,
  ]
}

test.each(graders)('two spellings of a $name slab are equal, and two slabs never are', (grader) => {
  const slabs = scale(1000, 10_000)
  const bytes = seededRandom(seed)
  const random = () => new DataView(bytes(4).buffer).getUint32(0) / 2 ** 32
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
  const keys = new Map<string, number>()
  // One expectation for all: tens of thousands would take most of the time.
  const wrong: unknown[] = []
  const check = (holds: boolean, ...told: unknown[]): unknown => holds || wrong.push(told)
  const digits = grader.name === 'TAG' ? 7 : Math.max(8, grader.certificate?.digits[0] ?? 8)
  const step = 10 ** digits / slabs
  for (let n = 0; n < slabs; n++) {
    const number = Math.floor((n + random()) * step)
    const printed = certificateOf(grader, number)
    const key = slabKey({ grader: grader.name, cert_number: printed })!
    check(!keys.has(key), printed, 'has the key of', keys.get(key))
    keys.set(key, number)
    const split = 1 + Math.floor(random() * (printed.length - 1))
    const spelt = pick([
      printed.toLowerCase(),
      `${printed.slice(0, split)}${pick([' ', '-', '\u2013', '\u2212', '\u00a0'])}${printed.slice(split)}`,
      ` ${printed}\t`,
      `#${printed}`,
      /^\d/.test(printed) ? pick([`000${printed}`, printed.replace(/^0+/, '')]) : printed,
    ])
    const name = pick([grader.name, grader.name.toLowerCase(), [...grader.name].join('.'), ...grader.aliases])
    const graded = `${name} ${pick([...grader.grades])}`
    const address = addresses[grader.name]?.(printed)
    const isOfGrader = (text: string): void => {
      check(slabKey({ cert_number: text }) === key, text, key)
      check(certKey(certKey(text)) === certKey(text), text)
    }
    if (address !== undefined) {
      const text = pick([address, address.toLowerCase(), ` ${address.replace('https://www.', '')}\n`])
      isOfGrader(text)
      check(isSameCertificate({ cert_number: text }, { grader: name, cert_number: spelt }), text, spelt)
    }
    if (grader.certificate) isOfGrader(pick(wordings(name, [...grader.name].join('.'), printed, spelt)))
    const neighbour = certificateOf(grader, number + 1)
    check(
      !isSameCertificate({ grader: name, cert_number: spelt }, { cert_number: neighbour }),
      spelt,
      neighbour,
    )
    const other = { grader: pick([name, ` ${name} `, graded]), cert_number: spelt }
    check(slabKey(other) === key, other, key)
    check(certKey(certKey(spelt)) === certKey(spelt), spelt)
    check(graderKey(graderKey(other.grader)) === graderKey(other.grader), other)
  }
  expect(wrong, `seed ${seed}`).toEqual([])
})

test('the key of any text is its own key', () => {
  const random = seededRandom(seed)
  const parts =
    'PSA|BGS|TAG|10|9.5|9|OC|GEM MT|Pristine|48201934|0012|A1234567|Cert|No.|#|(|)|/|,|-|\u2013|\u2116| |  |.|psacard.com/cert/|\u0130'.split(
      '|',
    )
  const wrong: string[] = []
  for (let at = 0; at < scale(5000, 20_000); at++) {
    const [length = 0, ...rolls] = random(8)
    const text = rolls.slice(0, 1 + (length % 7)).map((roll) => parts[roll % parts.length])
    const key = certKey(text.join(at % 2 ? ' ' : ''))
    if (certKey(key) !== key) wrong.push(`${JSON.stringify(text.join(at % 2 ? ' ' : ''))}: ${key}`)
  }
  expect(wrong.slice(0, 20), `seed ${seed}`).toEqual([])
})
