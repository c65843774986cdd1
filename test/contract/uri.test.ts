import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { httpsUriFault, isWebUri } from '../../src/contract/uri.ts'

const ajv = new Ajv()
formats.default(ajv)
const isUri = ajv.compile({ type: 'string', format: 'uri' })

describe('a web address (RFC 3986, decisions 12)', () => {
  test.each([
    'https://cdn.example/a.png',
    'HTTP://CDN.example',
    "https://cdn.example:8443/a%20b;c=d,e/~f!$&'()*+@:?q=/?x&[]=1".replace('[]', '%5B%5D'),
    'https://[2001:db8::1]:443/x#top',
    'https://user:pass@cdn.example/x',
    'https://cdn.example./..//x?',
    'https://xn--bcher-kva.de/%C3%A4',
  ])('%s is accepted', (text) => expect([isWebUri(text), isUri(text)]).toEqual([true, true]))

  test.each([
    '',
    'https://',
    'https:///x',
    'https://?q',
    'https://cdn.example/a b',
    'https://cdn.example/a\n.png',
    '\thttps://cdn.example',
    'https://cdn.example/\u00e4',
    'https://b\u00fccher.de/',
    'https://cdn.example/%zz',
    'https://cdn.example/%',
    'https://cdn.example/<script>',
    'https://cdn.example/"x"',
    'https://cdn.example/a|b',
    'https://cdn.example/{a}',
    'https://cdn.example/[1]',
    'https://cdn.example/a\\b',
    'https://cdn.example/a^b`c',
    'https://cdn.example/#a#b',
    'https://cdn.example:99999/',
    'https://cdn.example:x/',
    'https://a@b@cdn.example/',
    'https://[::1',
    'https://[cdn.example]/',
    'javascript:alert(1)',
    'data:image/png;base64,AA==',
    'file:///etc/passwd',
    'ftp://cdn.example/x',
    'mailto:a@cdn.example',
    '//cdn.example/x',
    'cdn.example/x',
  ])('%j is rejected', (text) => expect(isWebUri(text)).toBe(false))

  test('is a URI to another validator too, and a browser omits nothing from it', () => {
    const part = fc.stringMatching(/^[\w.~:/?#[\]@!$&'()*+,;=%<>"|^ -]{0,24}$/)
    fc.assert(
      fc.property(part, part, (host, rest) => {
        const text = `https://${host}.example/${rest}`
        if (!isWebUri(text)) return
        expect(isUri(text)).toBe(true)
        expect(decodeURIComponentSafely(new URL(text).search)).toBe(decodeURIComponentSafely(searchOf(text)))
      }),
      { numRuns: 1000, seed: 5 },
    )
  })

  test.each([
    ['https://hooks.partner.com/x', null],
    ['http://hooks.partner.com/x', 'must begin with https://'],
    ['https:hooks.partner.com', 'must begin with https://'],
    ['https://hooks.partner.com/%zz', 'must be a URI (RFC 3986)'],
    ['HTTPS://hooks.partner.com/x', null],
    [
      'https://hooks.partner.com/a b',
      'must be a URI (RFC 3986); it would be https://hooks.partner.com/a%20b',
    ],
    [
      'https://hooks.partner.com/<x>"',
      'must be a URI (RFC 3986); it would be https://hooks.partner.com/%3Cx%3E%22',
    ],
    [
      'https://b\u00fccher.de/\u00e4',
      'must be a URI (RFC 3986); it would be https://xn--bcher-kva.de/%C3%A4',
    ],
    ['https:///hooks.partner.com', 'must be a URI (RFC 3986); it would be https://hooks.partner.com/'],
  ])('%j as an https URI has the fault %s', (text, fault) => expect(httpsUriFault(text)).toBe(fault))
})

function searchOf(text: string): string {
  const search = /^[^?#]*(\?[^#]*)?/.exec(text)?.[1] ?? ''
  return search === '?' ? '' : search
}

function decodeURIComponentSafely(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (hex) => String.fromCharCode(Number.parseInt(hex.slice(1), 16)))
}
