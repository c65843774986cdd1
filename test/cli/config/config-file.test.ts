import fs, {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import stubborn from 'stubborn-fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Config,
  type Profile,
  profileNamed,
  readConfig,
} from '../../../src/cli/connection/config-file.ts'
import { changeConfig } from '../../../src/cli/connection/save-config.ts'
import { callsOf } from '../../support/failing-files.ts'

let folder: string
let path: string
const live: Profile = { database: '/x.db', partner: 'Sandbox', environment: 'production' }
const config: Config = {
  current: 'a.b',
  profiles: {
    'a.b': { base_url: 'https://a.example/v1', api_key: 'sk_1' },
    constructor: live,
  },
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'custody-config-'))
  path = join(folder, 'custody', 'config.json')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the configuration file', () => {
  test('is empty if missing', () => {
    expect(readConfig(path)).toEqual({ profiles: {} })
  })

  test('reads back what was saved, also names with dots and names of object members', () => {
    save(config)
    expect(readConfig(path)).toEqual(config)
  })

  test('keeps unknown settings when it is changed', () => {
    const noted = {
      note: 'shop',
      profiles: { live: { ...live, note: 'ours' }, a: { base_url: 'x', note: 7 } },
    }
    mkdirSync(join(folder, 'custody'))
    writeFileSync(path, JSON.stringify(noted), { mode: 0o600 })
    changeConfig(path, (known) => ({ ...known, current: 'live' }))
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ ...noted, current: 'live' })
  })

  test('is readable by its owner only, and saving again leaves nothing else behind', () => {
    save(config)
    save({ profiles: {} })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'custody')).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(folder, 'custody'))).toEqual(['config.json'])
    expect(readConfig(path)).toEqual({ profiles: {} })
  })

  test('is replaced as a whole within a snap too, without the draft of a killed process', () => {
    save(config)
    const before = statSync(path).ino
    writeFileSync(`${path}.tmp-1234567890abcdef`, 'sk_1')
    process.env.SNAP = '/snap/code/1'
    save({ profiles: { live } })
    expect(statSync(path).ino).not.toBe(before)
    expect(readdirSync(join(folder, 'custody'))).toEqual(['config.json'])
  })

  test.each([0o644, 0o640, 0o604, 0o660, 0o601])('is rejected with the mode %o, with the fix', (mode) => {
    mkdirSync(join(folder, 'custody'))
    writeFileSync(path, JSON.stringify(config))
    chmodSync(path, mode)
    expect(() => readConfig(path)).toThrow(
      expect.objectContaining({ ending: 'usage', hint: `Make it private with: chmod 600 ${path}` }),
    )
  })

  test('may begin with a byte order mark, as editors on Windows write it', () => {
    mkdirSync(join(folder, 'custody'))
    writeFileSync(path, `\ufeff${JSON.stringify(config)}`, { mode: 0o600 })
    expect(readConfig(path)).toEqual(config)
    save({ profiles: { live } })
    expect(readConfig(path)).toEqual({ profiles: { live } })
  })

  test.each([
    ['{', /is not valid JSON/],
    ['[]', /does not contain a JSON object/],
    ['{"profiles": []}', /profiles is not an object/],
    ['{"current": 7}', /current is not a profile name/],
  ])('is rejected if it holds %s', (text, message) => {
    mkdirSync(join(folder, 'custody'))
    writeFileSync(path, text, { mode: 0o600 })
    expect(() => readConfig(path)).toThrow(message)
  })

  test('is named in words if it cannot be read', () => {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    expect(() => readConfig(path)).toThrow(`${path} is a directory; give the path of a file.`)
  })

  test.each([
    [7, 'is not an object'],
    [{}, 'has neither base_url nor database'],
    [{ database: 'x', partner: 7 }, 'has a partner that is not a name'],
    [{ database: 'x', environment: 'live' }, 'has an environment other than sandbox and production'],
    [{ base_url: 'x', api_key: 7 }, 'has an api_key that is not text'],
    [{ base_url: 'x', api_key_command: ' ' }, 'has an api_key_command that is not a command'],
    [{ base_url: 'x', api_key: 'k', api_key_command: 'c' }, 'has both api_key and api_key_command'],
  ])('with the profile %j is read and kept, and only this profile is rejected', (profile, fault) => {
    save({ profiles: { a: profile, live } })
    const read = readConfig(path)
    expect([read.profiles, profileNamed(read, 'live')]).toEqual([{ a: profile, live }, live])
    expect(() => profileNamed(read, 'a')).toThrow(
      expect.objectContaining({
        ending: 'usage',
        message: expect.stringContaining(`The profile a ${fault}`),
        hint: 'Create it again with: custody init --name a',
      }),
    )
  })

  test('is written whole if the disk takes it in parts', () => {
    const { writeSync } = stubborn.retry
    // As on a disk with 8 free bytes.
    stubborn.retry.writeSync = () => (file, data) => fs.writeSync(file, String(data).slice(0, 8))
    try {
      save(config)
    } finally {
      stubborn.retry.writeSync = writeSync
    }
    expect(readConfig(path)).toEqual(config)
  })

  test('behind a link is found through it: drafts go, and its folder is synced', () => {
    const kept = join(folder, 'dotfiles')
    mkdirSync(kept)
    mkdirSync(join(folder, 'custody'))
    writeFileSync(join(kept, 'settings.conf'), '{}', { mode: 0o600 })
    writeFileSync(join(kept, 'settings.conf.tmp-1234567890abcdef'), 'sk_1')
    symlinkSync(join(kept, 'settings.conf'), path)
    expect(callsOf(() => save(config)).slice(-3, -1)).toEqual(['openSync dotfiles', 'fsyncSync'])
    expect(readdirSync(kept)).toEqual(['settings.conf'])
    expect([lstatSync(path).isSymbolicLink(), readConfig(path)]).toEqual([true, config])
  })

  test.each([
    ['a link, is locked at its end, so that two links to it exclude each other', '{}', 'custody'],
    ['a link to no file yet, is locked, synced, and swept at its end', undefined, 'custody'],
    ['two links, to its folder and to no file yet, is written at their end', undefined, 'links/custody'],
  ])('behind %s', (_, content, place) => {
    const kept = join(folder, 'dotfiles')
    mkdirSync(kept)
    mkdirSync(join(folder, place), { recursive: true })
    if (place !== 'custody') symlinkSync(place, join(folder, 'custody'))
    if (content !== undefined) writeFileSync(join(kept, 'settings.conf'), content, { mode: 0o600 })
    writeFileSync(join(kept, 'settings.conf.tmp-1234567890abcdef'), 'sk_1')
    symlinkSync(relative(join(folder, place), join(kept, 'settings.conf')), path)
    let whileLocked: string[] = []
    const calls = callsOf(() =>
      changeConfig(path, () => {
        whileLocked = [readdirSync(kept), readdirSync(join(folder, 'custody'))].flat()
        return config
      }),
    )
    expect(whileLocked).toEqual(expect.arrayContaining(['settings.conf.lock', 'config.json']))
    expect(whileLocked).not.toContain('config.json.lock')
    expect(calls.slice(-3, -1)).toEqual(['openSync dotfiles', 'fsyncSync'])
    expect([readdirSync(kept), readConfig(path)]).toEqual([['settings.conf'], config])
  })

  test('in a circle of links is an error in one line', () => {
    mkdirSync(join(folder, 'custody'))
    symlinkSync('other.json', path)
    symlinkSync('config.json', join(folder, 'custody', 'other.json'))
    expect(() => save(config)).toThrow(expect.objectContaining({ ending: 'usage' }))
  })

  test('gives the operator one line if it cannot be written', () => {
    writeFileSync(join(folder, 'file'), '')
    const impossible = join(folder, 'file', 'config.json')
    expect(() => changeConfig(impossible, () => config)).toThrow(
      expect.objectContaining({ ending: 'unreachable' }),
    )
  })
})

function save(saved: Config): void {
  changeConfig(path, () => saved)
}
