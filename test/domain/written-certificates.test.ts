import { expect, test } from 'vitest'
import { certKey, isAddress, linkedCertificate } from '../../src/domain/graders/certificate.ts'
import { gradeOn, readGrader, withGradeApart } from '../../src/domain/graders/graders.ts'
import { slabFaults } from '../../src/domain/graders/slab-faults.ts'

test.each([
  ['123456 HGA', '123456'],
  ['654321 Arena Club', '654321'],
  ['48201934 PSA 10', '48201934'],
  ['Serial 123456', '123456'],
  ["'123456", '123456'],
  ['123456\u200b', '123456'],
])('%j is compared as %s', (text, key) => {
  expect([certKey(text), certKey(certKey(text))]).toEqual([key, key])
})

test.each([
  ['PSA', '9 48201934', '48201934'],
  ['HGA', '9.5 123456', '123456'],
  ['TAG', '10 A1234567', 'A1234567'],
  ['PSA', '10-48201934', '48201934'],
  ['PSA', '48201934 10', '48201934'],
  ['HGA', '123456 \u2013 9.5', '123456'],
  ['CGC', '4123456-1', '4123456'],
  ['BGS', '12345678-9', '12345678'],
])(
  'a certificate of %s next to a grade, %j, is rejected, and %s is the advice',
  (grader, cert_number, number) => {
    expect(slabFaults({ grader, cert_number })).toEqual([
      {
        field: 'cert_number',
        message: `"${cert_number}" may be a grade and a number: write ${number}, or all digits without a space`,
        isCertain: true,
      },
    ])
  },
)

test.each([
  ['CGC', '4-123456789'],
  ['CGC', '412345678-9'],
  ['CGC', '4123456-001'],
  ['BGS', '00-12345678'],
])('a whole certificate of %s with a dash, %s, has no fault', (grader, cert_number) => {
  expect(slabFaults({ grader, cert_number })).toEqual([])
})

test.each(['GMA 48201934', 'gma48201934', 'GMA #48201934', 'G.M.A. 48201934', '48201934 GMA'])(
  '%j of GMA, an unknown grader, is rejected, and the number alone is the advice',
  (cert_number) => {
    expect(slabFaults({ grader: 'GMA', cert_number }).filter(({ isCertain }) => isCertain)).toEqual([
      {
        field: 'cert_number',
        message: `"${cert_number}" contains the name of its grader: write 48201934`,
        isCertain: true,
      },
    ])
    expect(slabFaults({ grader: 'GMA', cert_number: '48201934' })).toMatchObject([{ isCertain: false }])
  },
)

test.each(['48 201 934', '4820 1934', '1 2345'])('%j of PSA is not a grade and a number', (cert_number) => {
  const messages = slabFaults({ grader: 'PSA', cert_number }).map(({ message }) => message)
  expect(messages.join()).not.toContain('grade and a number')
})

test.each([
  ['https://www.psacard.co.jp/cert/48201934', 'PSA', '48201934'],
  ['https://www.cgccards.uk/certlookup/4123456001/', 'CGC', '4123456001'],
])('%s is an address of %s', (text, name, number) => {
  expect([isAddress(text), linkedCertificate(text)?.grader.name, certKey(text)]).toEqual([true, name, number])
})

test.each([
  ['https://www.cgccards.com/certlookup/4123456%2D002/', 'CGC', '4123456002'],
  ['https%3A%2F%2Fmy.taggrading.com%2Fcard%2FA1234567', 'TAG', 'A1234567'],
  ['https://www.beckett.com/grading/card-lookup?item%5fid=0012345678', 'BGS', '12345678'],
  ['https://www.google.com/url?q=https%3A%2F%2Fwww.psacard.com%2Fcert%2F48201934', 'PSA', '48201934'],
])('%s, with percent-encoding, is an address of %s', (text, name, number) => {
  expect([isAddress(text), linkedCertificate(text)?.grader.name, certKey(text)]).toEqual([true, name, number])
  expect(slabFaults({ cert_number: text, grader: name })).toMatchObject([{ isCertain: false }])
})

test.each(['48201934%20', '48201934%', '%E3%81', '%00'])(
  'percent signs in %s are read without an error',
  (text) => {
    expect(certKey(certKey(text))).toBe(certKey(text))
  },
)

test.each([
  ['PSA', 'https%3A%2F%2Fexample.com%2F48201934'],
  ['TAG', 'https%3A%2F%2Fexample.com%2F48201934'],
])('an encoded address without a certificate of %s is rejected', (grader, cert_number) => {
  expect(slabFaults({ grader, cert_number })).toEqual([
    {
      field: 'cert_number',
      message: `"${cert_number}" is an address without a certificate: write the number`,
      isCertain: true,
    },
  ])
})

test.each([
  'https://psacard.com.evil.com/cert/48201934',
  'https://ZZZQ.psacard.com.evil.com/cert/48201934',
  'https://evilpsacard.com/cert/48201934',
  'https://evil-psacard.com/cert/48201934',
  'https://psacard.com@evil.com/cert/48201934',
  'https://psacard.evil.com/cert/48201934',
  'https://evil.com/psacard.com/cert/48201934',
  'https://cgccards.evil.com/certlookup/4123456001',
  'https://beckett.com.evil.com/grading/card-lookup?item_id=0012345678',
])('%s is not an address of a grader', (text) => {
  expect([linkedCertificate(text), certKey(certKey(text))]).toEqual([undefined, certKey(text)])
  expect(slabFaults({ grader: 'PSA', cert_number: text })).toMatchObject([{ isCertain: true }])
})

test.each([
  'psacard.com/cert/48201934',
  'PSA psacard.com/cert/48201934',
  'Cert: www.psacard.com / cert / 48201934',
  'http://psacard.com:80/cert/48201934',
  'https://app.collectors.psacard.com/cert/48201934',
])('%s is an address of PSA', (text) => {
  expect([linkedCertificate(text)?.grader.name, certKey(text)]).toEqual(['PSA', '48201934'])
})

test.each(['psa card.com/cert/48201934', 'p-s-a card.com/cert/48201934'])(
  'the key of %s is its own key',
  (text) => {
    expect(certKey(certKey(text))).toBe(certKey(text))
  },
)

test("PSA's population report is no certificate", () => {
  expect(linkedCertificate('https://www.psacard.com/pop/cert/1999/charizard')).toBe(undefined)
})

test.each([
  ['PSA\u2122', 'PSA', null],
  ['PSA Graded', 'PSA', null],
  ['Beckett BGS', 'BGS', null],
  ['BGS 9.5 w/10 auto', 'BGS', '9.5 W/10 AUTO'],
])('the grader %j is %s, and its grade %s', (text, name, grade) => {
  expect(readGrader(text)).toMatchObject({ name, grade })
})

test.each([
  ['PSA', 'PSA 10', '10'],
  ['PSA', '9 (Auto 10)', '9'],
  ['PSA', 'MINT 9 / AUTO 10', '9'],
  ['PSA', '9, Autograph 9', '9'],
  ['PSA', '9 Auto Authentic', '9'],
  ['PSA', 'Authentic Auto 10', 'A'],
  ['PSA', 'AUTH/AUTO 9', 'A'],
  ['PSA', 'Authentic (Auto 10)', 'A'],
  ['PSA', 'Authentic Auto', 'A'],
  ['PSA', 'Auto 11', undefined],
  ['PSA', 'Authentic 10', undefined],
  ['BGS', 'Authentic Altered', 'AA'],
  ['BCCG', 'Authentic', undefined],
  ['PSA', 'Authentic/Altered', 'AA'],
  ['BGS', '9.5 / 10', '9.5'],
  ['BGS', '9.5 W/10 AUTO', '9.5'],
  ['SGC', '98 (10)', '98'],
  ['PSA', '9/11', undefined],
])('%s: the grade %j is %s', (name, text, grade) => {
  expect(gradeOn(readGrader(name).grader!, text)).toBe(grade)
})

test.each([
  ['PSA 10', 'PSA', '10'],
  ['KSA 9.5', 'KSA', '9.5'],
  ['K.S.A. Grading 9,5', 'KSA', '9,5'],
  ['Card Vault Grading: 9', 'CARD VAULT', '9'],
  ['Card Vault Grading', 'Card Vault Grading', undefined],
])('%j without a grade is the grader %j with the grade %j', (grader, name, grade) => {
  expect(withGradeApart({ grader })).toEqual({ grader: name, ...(grade && { grade }) })
  expect(withGradeApart({ grader, grade: '8' })).toEqual({ grader, grade: '8' })
})

test('a long text names no grader, however many brackets or company words end it', () => {
  for (const end of [')', ' (', 'CO', ' GRADING', ' 9', 'GEM '])
    expect(readGrader(`A${end.repeat(100_000)}`).grader).toBe(undefined)
})
