import { describe, expect, test } from 'vitest'
import type { Config } from '../../../src/cli/connection/config-file.ts'
import { resolveTarget, type TargetOptions } from '../../../src/cli/connection/target.ts'

const config: Config = {
  current: 'shop',
  profiles: {
    shop: { base_url: 'https://shop.example/v1', api_key: 'sk_shop', environment: 'production' },
    keyless: { base_url: 'https://keyless.example/v1' },
    own: { database: 'own.db', partner: 'Northgate Cards', environment: 'sandbox' },
  },
}
const all = {
  CUSTODY_BASE_URL: 'https://env.example/v1',
  CUSTODY_API_KEY: 'sk_env',
}

function resolve(options: TargetOptions, env: Record<string, string> = {}, from: Config = config) {
  return resolveTarget(options, {
    env,
    cwd: '/here',
    defaultDatabase: '/data/sandbox.db',
    config: () => from,
  })
}

describe('choosing a target', () => {
  const noProfile: Config = { profiles: {} }
  test.each<[string, TargetOptions, Record<string, string>, Config, string, string]>([
    ['nothing configured', {}, {}, noProfile, '/data/sandbox.db', 'default default'],
    ['the current profile', {}, {}, config, 'https://shop.example/v1', 'profile shop'],
    ['CUSTODY_PROFILE', {}, { CUSTODY_PROFILE: 'own' }, config, '/here/own.db', 'profile own'],
    [
      'CUSTODY_DATABASE',
      {},
      { CUSTODY_DATABASE: 'a.db' },
      config,
      '/here/a.db',
      'environment CUSTODY_DATABASE',
    ],
    [
      'a PostgreSQL address is kept',
      {},
      { CUSTODY_DATABASE: 'postgres://db/c' },
      config,
      'postgres://db/c',
      'environment CUSTODY_DATABASE',
    ],
    ['CUSTODY_BASE_URL', {}, all, config, 'https://env.example/v1', 'environment CUSTODY_BASE_URL'],
    ['--profile', { profile: 'own' }, all, config, '/here/own.db', 'profile own'],
    ['--database', { database: 'b.db' }, all, config, '/here/b.db', 'flag --database'],
    [
      '--base-url',
      { baseUrl: 'https://flag.example' },
      all,
      config,
      'https://flag.example/v1',
      'flag --base-url',
    ],
    [
      '--database beats a variable',
      { database: 'b.db' },
      { CUSTODY_DATABASE: 'a.db' },
      config,
      '/here/b.db',
      'flag --database',
    ],
    [
      'an empty variable does not count',
      {},
      { CUSTODY_DATABASE: '', CUSTODY_PROFILE: '' },
      config,
      'https://shop.example/v1',
      'profile shop',
    ],
  ])('%s', (_, options, env, from, target, origin) => {
    const settings = resolve(options, env, from)
    const { value, source, name } = settings.kind === 'service' ? settings.baseUrl : settings.database
    expect({ target: value, origin: `${source} ${name}` }).toEqual({ target, origin })
  })

  test('a database profile brings its partner and environment', () => {
    expect(resolve({ profile: 'own' })).toEqual({
      kind: 'embedded',
      profile: { value: 'own', source: 'flag', name: '--profile' },
      database: { value: '/here/own.db', source: 'profile', name: 'own' },
      partner: { value: 'Northgate Cards', source: 'profile', name: 'own' },
      environment: { value: 'sandbox', source: 'profile', name: 'own' },
    })
  })

  test('the configuration is not read if a variable or flag decides', () => {
    const around = {
      env: all,
      cwd: '/here',
      defaultDatabase: '',
      config: () => {
        throw new Error('read')
      },
    }
    expect(resolveTarget({}, around).kind).toBe('service')
    expect(resolveTarget({ database: 'x.db' }, around).kind).toBe('embedded')
  })
})

describe('choosing a key', () => {
  const file = { CUSTODY_API_KEY_FILE: 'key.txt' }
  test.each<[string, TargetOptions, Record<string, string>, unknown]>([
    ['the profile has the key', {}, {}, { value: { key: 'sk_shop' }, source: 'profile', name: 'shop' }],
    [
      'CUSTODY_API_KEY beats the profile',
      {},
      { CUSTODY_API_KEY: 'sk_env' },
      { value: { key: 'sk_env' }, source: 'environment', name: 'CUSTODY_API_KEY' },
    ],
    [
      'CUSTODY_PROFILE gives the key for its own address',
      {},
      { CUSTODY_BASE_URL: 'https://shop.example', CUSTODY_PROFILE: 'shop' },
      { value: { key: 'sk_shop' }, source: 'profile', name: 'shop' },
    ],
    [
      'CUSTODY_API_KEY_FILE beats the profile',
      {},
      file,
      { value: { file: 'key.txt' }, source: 'environment', name: 'CUSTODY_API_KEY_FILE' },
    ],
    [
      '--profile beats both variables',
      { profile: 'shop' },
      { CUSTODY_API_KEY: 'sk_env' },
      { value: { key: 'sk_shop' }, source: 'profile', name: 'shop' },
    ],
    [
      'a profile without a key uses a variable',
      { profile: 'keyless' },
      file,
      { value: { file: 'key.txt' }, source: 'environment', name: 'CUSTODY_API_KEY_FILE' },
    ],
    ['none', { profile: 'keyless' }, {}, undefined],
    [
      "a profile's key is not sent to another address",
      { baseUrl: 'https://other.example/v1' },
      {},
      undefined,
    ],
    [
      "a profile's key is sent to its own address",
      { baseUrl: 'https://shop.example/v1/' },
      {},
      { value: { key: 'sk_shop' }, source: 'profile', name: 'shop' },
    ],
  ])('%s', (_, options, env, key) => {
    const settings = resolve(options, env)
    expect(settings.kind === 'service' && settings.apiKey).toEqual(key)
  })

  test('says nothing of the environment, because a key does not reveal it', () => {
    const settings = resolve({}, { CUSTODY_BASE_URL: 'https://env.example', CUSTODY_API_KEY: 'sk_live_x' })
    expect(settings.environment).toBe(undefined)
  })
})

describe('contradictions are rejected', () => {
  test.each<[TargetOptions, Record<string, string>, string]>([
    [{ profile: 'own', database: 'a.db' }, {}, '--profile and --database cannot be used together.'],
    [
      { baseUrl: 'https://a.example', database: 'a.db' },
      {},
      '--base-url and --database cannot be used together.',
    ],
    [
      {},
      { ...all, CUSTODY_DATABASE: 'a.db' },
      'CUSTODY_BASE_URL and CUSTODY_DATABASE cannot be used together.',
    ],
    [
      {},
      { CUSTODY_DATABASE: 'a.db', CUSTODY_PROFILE: 'own' },
      'CUSTODY_DATABASE and CUSTODY_PROFILE cannot be used together.',
    ],
    [
      {},
      { ...all, CUSTODY_PROFILE: 'shop' },
      'CUSTODY_BASE_URL and CUSTODY_PROFILE cannot be used together: shop has another address.',
    ],
    [{ profile: 'shopp' }, {}, '--profile: there is no profile named "shopp".'],
    [{}, { CUSTODY_PROFILE: 'gone' }, 'CUSTODY_PROFILE: there is no profile named "gone".'],
    [
      { baseUrl: 'ftp://a.example' },
      {},
      '--base-url: "ftp://a.example" does not begin with https:// or http://.',
    ],
    [
      { baseUrl: 'https://me:p@w@a.example' },
      {},
      '--base-url: "https://[hidden]@a.example" contains a user name or a password.',
    ],
  ])('%j with %j', (options, env, message) => {
    expect(() => resolve(options, env)).toThrow(expect.objectContaining({ message, ending: 'usage' }))
  })

  test('a key without a service is rejected: a job without its address must not write to a sandbox', () => {
    const message = 'CUSTODY_API_KEY is set, but no service is named.'
    expect(() => resolve({}, { CUSTODY_API_KEY: 'x' }, { profiles: {} })).toThrow(
      expect.objectContaining({ message, ending: 'usage' }),
    )
  })

  test('a nearly right name is suggested', () => {
    expect(() => resolve({ profile: 'shopp' })).toThrow(
      expect.objectContaining({ hint: 'Did you mean shop?' }),
    )
  })
})
