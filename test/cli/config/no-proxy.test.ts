import { describe, expect, test } from 'vitest'
import { proxyFor } from '../../../src/cli/connection/proxy.ts'

const isDirect = (host: string, NO_PROXY: string): boolean =>
  proxyFor({ HTTP_PROXY: 'http://proxy.example:3128', NO_PROXY }, `http://${host}/v1`) === undefined

describe('NO_PROXY', () => {
  test.each([
    ['10.1.2.3', 'localhost,10.0.0.0/8'],
    ['10.1.2.3', '10.1.2.3/32'],
    ['[fd00::5]', 'fd00::/8'],
    ['[fd00::5]', 'fd00::5'],
    ['[fd00::5]:8080', '[fd00::5]:8080'],
    ['shop.example', 'shop.example.'],
    ['api.shop.example', '*.shop.example'],
  ])('excludes %s by %s', (host, except) => {
    expect(isDirect(host, except)).toBe(true)
  })

  test.each([
    ['11.1.2.3', '10.0.0.0/8'],
    ['[fe80::5]', 'fd00::/8'],
    ['10.1.2.3', 'fd00::/8'],
    ['10.1.2.3', '10.0.0.0/33'],
    ['10.1.2.3', '10.0.0.0/'],
    ['10.1.2.3', 'shop.example/8'],
    ['shop.example', '10.0.0.0/0'],
    ['[fd00::5]:8080', '[fd00::5]:80'],
    ['workshop.example', 'shop.example'],
    ['shop.example', ',, .'],
  ])('does not exclude %s by %s', (host, except) => {
    expect(isDirect(host, except)).toBe(false)
  })
})
