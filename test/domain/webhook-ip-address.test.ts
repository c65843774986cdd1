import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import {
  deniedIPv4,
  deniedIPv6,
  globalIPv6,
  isAddress,
  isPublicAddress,
  isSameAddress,
} from '../../src/domain/webhooks/webhook-address.ts'

/** First and last address of every range, and the neighbours outside it that belong to no other. */
const ipv4: Array<[string, string, string, string | null, string | null]> = [
  ['0.0.0.0/8', '0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
  ['10.0.0.0/8', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0/10', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0/8', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0/16', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0/12', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0/24', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0/24', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.31.196.0/24', '192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
  ['192.52.193.0/24', '192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
  ['192.88.99.0/24', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0/16', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['192.175.48.0/24', '192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'],
  ['198.18.0.0/15', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0/24', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0/24', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0/4', '224.0.0.0', '239.255.255.255', '223.255.255.255', null],
  ['240.0.0.0/4', '240.0.0.0', '255.255.255.255', null, null],
  ['168.63.129.16/32', '168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
]

const ones = 'ffff:ffff:ffff:ffff'
const ipv6: Array<[string, string, string, string | null, string | null]> = [
  ['2001::/23', '2001::', `2001:1ff:ffff:ffff:${ones}`, `2000:ffff:ffff:ffff:${ones}`, '2001:200::'],
  ['2001:db8::/32', '2001:db8::', `2001:db8:ffff:ffff:${ones}`, `2001:db7:ffff:ffff:${ones}`, '2001:db9::'],
  ['2002::/16', '2002::', `2002:ffff:ffff:ffff:${ones}`, `2001:ffff:ffff:ffff:${ones}`, '2003::'],
  [
    '2620:4f:8000::/48',
    '2620:4f:8000::',
    `2620:4f:8000:ffff:${ones}`,
    `2620:4f:7fff:ffff:${ones}`,
    '2620:4f:8001::',
  ],
  ['3fff::/20', '3fff::', `3fff:fff:ffff:ffff:${ones}`, `3ffe:ffff:ffff:ffff:${ones}`, '3fff:1000::'],
]

describe('addresses that webhooks must not reach (4.7)', () => {
  test('every range of the table is tested', () => {
    expect(ipv4.map(([range]) => range)).toEqual([...deniedIPv4])
    expect(ipv6.map(([range]) => range)).toEqual([...deniedIPv6])
    expect(globalIPv6).toBe('2000::/3')
  })

  test.each([...ipv4, ...ipv6])(
    '%s is rejected from %s to %s, and no further',
    (_, first, last, before, next) => {
      expect([first, last].map(isPublicAddress)).toEqual([false, false])
      for (const outside of [before, next]) if (outside !== null) expect(isPublicAddress(outside)).toBe(true)
    },
  )

  test('IPv6 is public only within 2000::/3, up to both of its ends', () => {
    expect(isPublicAddress('2000::')).toBe(true)
    expect(isPublicAddress(`1fff:ffff:ffff:ffff:${ones}`)).toBe(false)
    expect(isPublicAddress(`3fff:ffff:ffff:ffff:${ones}`)).toBe(true)
    expect(isPublicAddress('4000::')).toBe(false)
  })

  test.each([
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['IPv4-compatible', '::7f00:1'],
    ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
    ['IPv4-mapped loopback in hexadecimal', '::ffff:7f00:1'],
    ['IPv4-mapped public', '::ffff:8.8.8.8'],
    ['IPv4-translated', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::10.0.0.1'],
    ['NAT64 of a public address', '64:ff9b::8.8.8.8'],
    ['local NAT64', '64:ff9b:1::1'],
    ['discard', '100::1'],
    ['unique local', 'fc00::1'],
    ['unique local', 'fdff::1'],
    ['cloud metadata', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['a public address with a zone', '2606:4700::1111%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['Teredo', '2001:0:53aa:64c::1'],
    ['ORCHID', '2001:20::1'],
    ['6to4 of loopback', '2002:7f00:1::1'],
    ['segment routing', '5f00::1'],
  ])('%s (%s) is rejected', (_, address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  test.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450:4001::200e', '2003::1'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )

  test.each([
    '',
    'x',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '01.2.3.4',
    '1.2.3.4 ',
    '8.8.8.8/32',
    ':',
    ':::',
    '1::2::3',
  ])('%j is not an address and is rejected', (text) => {
    expect(isAddress(text)).toBe(false)
    expect(isPublicAddress(text)).toBe(false)
  })
})

describe('reading addresses', () => {
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

  test('every IPv4 address is read as another library reads it, and judged by its range', () => {
    fc.assert(
      fc.property(bytes(4), (address) => {
        const text = [...address].join('.')
        expect(isSameAddress(text, ipaddr.fromByteArray([...address]).toString())).toBe(true)
        const denied = deniedIPv4.some((range) => ipaddr.parse(text).match(ipaddr.parseCIDR(range)))
        expect(isPublicAddress(text)).toBe(!denied)
      }),
    )
  })

  test('every form of an IPv6 address is read as another library reads it, and judged by its range', () => {
    const near = fc.constantFrom('2001::', '2001:1ff::', '2002::', '2620:4f:8000::', '3fff::', '2000::', '::')
    const address = fc.oneof(
      bytes(16),
      fc.tuple(near, bytes(8)).map(([prefix, tail]) => {
        const whole = Uint8Array.from(ipaddr.parse(prefix).toByteArray())
        whole.set(tail, 8)
        return whole
      }),
    )
    fc.assert(
      fc.property(address, (address) => {
        const parsed = ipaddr.fromByteArray([...address]) as ipaddr.IPv6
        const allowed =
          parsed.match(ipaddr.parseCIDR(globalIPv6)) &&
          !deniedIPv6.some((range) => parsed.match(ipaddr.parseCIDR(range)))
        for (const text of [parsed.toString(), parsed.toNormalizedString(), parsed.toRFC5952String()]) {
          expect(isSameAddress(text, parsed.toNormalizedString())).toBe(true)
          expect(isPublicAddress(text.toUpperCase())).toBe(allowed)
        }
      }),
    )
  })

  test('two texts of one address are equal', () => {
    expect(isSameAddress('2606:4700::1', '2606:4700:0:0:0:0:0:1')).toBe(true)
    expect(isSameAddress('::ffff:1.2.3.4', '::ffff:102:304')).toBe(true)
    expect(isSameAddress('1.2.3.4', '::ffff:1.2.3.4')).toBe(false)
    expect(isSameAddress('1.2.3.4', '1.2.3.5')).toBe(false)
    expect(isSameAddress('x', 'x')).toBe(false)
    expect(isSameAddress('x', '1.2.3.4')).toBe(false)
    expect(isSameAddress('1.2.3.4', 'x')).toBe(false)
  })
})
