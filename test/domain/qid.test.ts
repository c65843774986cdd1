import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalQid, makeQid, qidRandomBytes } from '../../src/domain/items/qid.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const randomBytes = fc.uint8Array({ minLength: qidRandomBytes, maxLength: qidRandomBytes })
const qids = randomBytes.map(makeQid)

describe('makeQid', () => {
  test('prints Q- and three groups of four of Crockford base32', () => {
    fc.assert(
      fc.property(qids, (qid) => {
        expect(qid).toMatch(/^Q(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
      }),
    )
  })

  test('returns the same for the same bytes, and a known value for known bytes', () => {
    expect(makeQid(new Uint8Array(qidRandomBytes))).toBe('Q-0000-0000-0000')
    expect(makeQid(Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]))).toBe('Q-0000-0000-0012')
  })

  test('rejects fewer than eleven bytes', () => {
    expect(() => makeQid(new Uint8Array(10))).toThrow(new RangeError('A QID takes 11 random bytes.'))
  })

  test('derives every character from five bits of its own byte', () => {
    for (let value = 0; value < 256; value++) {
      const qid = makeQid(new Uint8Array(qidRandomBytes).fill(value))
      expect(qid.slice(2, 6)).toBe(alphabet.charAt(value % 32).repeat(4))
    }
  })
})

describe('canonicalQid', () => {
  test("accepts makeQid's output in lower case and without any of its dashes", () => {
    fc.assert(
      fc.property(qids, fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), (qid, keeps) => {
        let dash = 0
        const typed = qid.replace(/-/g, () => (keeps[dash++] ? '-' : ''))
        expect(canonicalQid(typed)).toBe(qid)
        expect(canonicalQid(typed.toLowerCase())).toBe(qid)
      }),
    )
  })

  test('reads O as 0 and I and L as 1', () => {
    fc.assert(
      fc.property(qids, fc.constantFrom('I', 'L', 'i', 'l'), fc.constantFrom('O', 'o'), (qid, one, zero) => {
        const typed = `Q${qid.slice(1).replaceAll('1', one).replaceAll('0', zero)}`
        expect(canonicalQid(typed)).toBe(qid)
      }),
    )
  })

  test.each([
    ['nothing', ''],
    ['another prefix', 'R-0000-0000-0000'],
    ['too short', 'Q-0000-0000-000'],
    ['too long', 'Q-0000-0000-00000'],
    ['the letter U', 'Q-U000-0000-0000'],
    ['an underscore', 'Q-_000-0000-0000'],
    ['a dash in the wrong place', 'Q-00-000000-0000'],
    ['spaces around', ' Q-0000-0000-0000 '],
    ['a letter beyond ASCII', 'Q-Ö000-0000-0000'],
    ['a line break after it', 'Q-0000-0000-0000\n'],
  ])('returns null for %s', (_, text) => {
    expect(canonicalQid(text)).toBeNull()
  })

  // The sum is linear over GF(32), so only the difference decides whether a change is noticed. Testing every difference at every
  // place of one QID proves it for all; the property repeats it on others.
  test('returns null for extra characters before or after', () => {
    const qid = makeQid(new Uint8Array(11))
    expect([qid, `x${qid}`, `${qid}x`].map(canonicalQid)).toEqual([qid, null, null])
  })

  test('notices every wrong character at every place', () => {
    expectEverySubstitutionNoticed('Q-0000-0000-0000')
    fc.assert(fc.property(qids, expectEverySubstitutionNoticed), { numRuns: 20 })
  })

  test('notices every swap of two different neighbours', () => {
    for (let place = 0; place < 11; place++) {
      for (let left = 0; left < 32; left++) {
        for (let right = 0; right < 32; right++) {
          if (left !== right) expectSwapNoticed(qidWith(place, left, right), place)
        }
      }
    }
  })
})

function expectEverySubstitutionNoticed(qid: string): void {
  for (const [place, character] of [...qid].entries()) {
    if (place === 0 || character === '-') continue
    for (const other of alphabet) {
      if (other === character) continue
      expect(canonicalQid(qid.slice(0, place) + other + qid.slice(place + 1))).toBeNull()
    }
  }
}

/** A valid QID with these characters at `place` and the next; the body's free characters make it valid. */
function qidWith(place: number, left: number, right: number): string {
  const bytes = new Uint8Array(qidRandomBytes)
  bytes[place] = left
  if (place < 10) {
    bytes[place + 1] = right
    return makeQid(bytes)
  }
  // The neighbour is the check character: find the first character that makes it `right`.
  for (let first = 0; first < 32; first++) {
    bytes[0] = first
    const qid = makeQid(bytes)
    if (qid.endsWith(alphabet.charAt(right))) return qid
  }
  throw new Error('no first character leads to this check character')
}

function expectSwapNoticed(qid: string, place: number): void {
  const plain = [...qid.replaceAll('-', '')]
  const [left, right] = [plain[place + 1], plain[place + 2]]
  expect(left).not.toBe(right)
  expect(canonicalQid(plain.join(''))).toBe(qid)
  plain.splice(place + 1, 2, right as string, left as string)
  expect(canonicalQid(plain.join(''))).toBeNull()
}
