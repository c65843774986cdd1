import { describe, expect, test } from 'vitest'
import { isReservedName, webhookTarget, webhookUrlFault } from '../../src/domain/webhooks/webhook-address.ts'

const mustBeHttps = 'must begin with https://'
const noUser = 'must not contain a user name or a password'
const badPort = 'must use port 443 or one from 1024 to 65535'
const notUrl = 'must be an absolute URL'
const notPublic =
  'must lead to a public address: loopback, private, link-local, cloud-metadata and other special addresses are rejected'
const noSpaces = 'must not contain spaces, control characters or backslashes'

describe('a webhook URL by its text (4.7, decisions 11)', () => {
  test.each([
    'https://hooks.partner.com/custody',
    'HTTPS://hooks.partner.com/custody',
    'https://hooks.partner.com',
    'https://hooks.partner.com:443/x',
    'https://hooks.partner.com:1024/x',
    'https://hooks.partner.com:65535/x?a=1&b=2',
    'https://hooks.partner.example/x',
    'https://hooks.partner.test/x',
    'https://does-not-resolve.partner.com/x',
    'https://b\u00fccher.de/x',
    'https://8.8.8.8/x',
    'https://[2606:4700:4700::1111]:8443/x',
    'https://hooks.partner.com/a@b',
    'https://local.partner.com/x',
    'https://localhost.partner.com/x',
    'https://lan.partner.com/x',
    'https://hooks.partner.homes/x',
    'https://hooks.partner.lancaster/x',
    'https://corp.example/x',
    'https://private.partner.com/x',
    'https://hooks.partner.com./x',
  ])('%s is accepted', (url) => {
    expect(webhookUrlFault(url)).toBeNull()
  })

  test.each([
    ['http://hooks.partner.com/x', mustBeHttps],
    ['//hooks.partner.com/x', mustBeHttps],
    ['hooks.partner.com/x', mustBeHttps],
    ['https:hooks.partner.com/x', mustBeHttps],
    ['https:/hooks.partner.com/x', mustBeHttps],
    [' https://hooks.partner.com/x', mustBeHttps],
    ['ftp://hooks.partner.com', mustBeHttps],
    ['javascript:alert(1)//https://x.com', mustBeHttps],
    ['https://', notUrl],
    ['https:///hooks.partner.com/x', notUrl],
    ['https://?x=1', notUrl],
    ['https://hooks.partner.com:99999/x', notUrl],
    ['https://[::1', notUrl],
    ['https://1.2.3.4.5.6/x', notUrl],
    ['https://hooks.partner.com/a b', noSpaces],
    ['https://hooks.par\ttner.com/', noSpaces],
    ['https://hooks.partner.com\r\nHost: x', noSpaces],
    ['https:\\\\hooks.partner.com', mustBeHttps],
    ['https://hooks.partner.com\\@127.0.0.1/', noSpaces],
    ['https://user@hooks.partner.com/x', noUser],
    ['https://user:pass@hooks.partner.com/x', noUser],
    ['https://:pass@hooks.partner.com/x', noUser],
    ['https://@hooks.partner.com/x', noUser],
    ['https://8.8.8.8@127.0.0.1/x', noUser],
    ['https://hooks.partner.com:80/x', badPort],
    ['https://hooks.partner.com:22/x', badPort],
    ['https://hooks.partner.com:1/x', badPort],
    ['https://hooks.partner.com:0/x', badPort],
    ['https://hooks.partner.com:442/x', badPort],
    ['https://hooks.partner.com:1023/x', badPort],
  ])('%j is rejected: %s', (url, fault) => {
    expect(webhookUrlFault(url)).toBe(fault)
  })

  test.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'localhost..',
    '.',
    '..',
    'app.localhost',
    'localhost.localdomain',
    'db.localdomain',
    'ip6-localhost',
    'ip6-loopback',
    'broadcasthost',
    'intranet',
    'com',
    'metadata',
    'metadata.google.internal',
    'internal',
    'x.internal.',
    'printer.local',
    'home.arpa',
    'nas.home.arpa',
    'router.lan',
    'router.LAN.',
    'hooks.partner.corp',
    'nas.home',
    'wiki.intranet',
    'db.private',
    '\uff4c\uff4f\uff43\uff41\uff4c\uff48\uff4f\uff53\uff54',
    '%6c%6fcalhost',
  ])('the name %s is rejected because it leads nowhere public', (host) => {
    expect(webhookUrlFault(`https://${host}/x`)).toBe(notPublic)
  })

  test.each(['..partner.com', '.partner.com', 'hooks..partner.com'])(
    'the name %s is rejected because it has an empty part',
    (host) => {
      expect(webhookUrlFault(`https://${host}/x`)).toBe('must have a host name without empty parts')
    },
  )

  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0x7f.1',
    '0',
    '127.0.0.1.',
    '\u2460\u2461\u2466.0.0.1',
    '127\u30020\u30020\u30021',
    '%31%32%37.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:8.8.8.8]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::a00:1]',
    '[2002:7f00:1::]',
    '[2001::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[5f00::1]',
    '[100::1]',
  ])('the literal %s is rejected however it is written', (host) => {
    expect(webhookUrlFault(`https://${host}/x`)).toBe(notPublic)
  })
})

describe('the parts of a webhook URL', () => {
  test('include the name without its final dot, and 443 or its own port', () => {
    expect(webhookTarget('https://Hooks.Partner.com./a/b?c=1#d')).toEqual({
      hostname: 'hooks.partner.com',
      address: null,
      port: 443,
      authority: 'hooks.partner.com',
      path: '/a/b?c=1',
    })
    expect(webhookTarget('https://hooks.partner.com:8443')).toMatchObject({ port: 8443, path: '/' })
  })

  test.each([
    ['https://Hooks.Partner.com.', 'hooks.partner.com'],
    ['https://hooks.partner.com:443/x', 'hooks.partner.com'],
    ['https://hooks.partner.com.:8443/x', 'hooks.partner.com:8443'],
    ['https://b\u00fccher.de./x', 'xn--bcher-kva.de'],
    ['https://0x08.8.8.8./', '8.8.8.8'],
    ['https://[2606:4700:0:0::1111]:8443/', '[2606:4700::1111]:8443'],
  ])('identify the receiver of %s as %s, however it is written', (url, authority) => {
    expect(webhookTarget(url).authority).toBe(authority)
  })

  test('tell a literal from a name, in canonical form', () => {
    expect(webhookTarget('https://0x08.8.8.8/').address).toBe('8.8.8.8')
    expect(webhookTarget('https://[2606:4700:0:0::1111]/').address).toBe('2606:4700::1111')
  })

  test('mark only names for documentation and tests as not looked up', () => {
    expect(['a.example', 'example', 'a.test', 'a.invalid'].every(isReservedName)).toBe(true)
    expect(['example.com', 'a.test.com', 'latest', 'a.contest'].some(isReservedName)).toBe(false)
  })
})
