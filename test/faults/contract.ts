import type { Fault } from './fault.ts'

export const contractFaults: readonly Fault[] = [
  {
    name: "a Retry-After that is a date counts from the receiver's own clock",
    file: 'src/contract/call.ts',
    find: 'const from = Number.isNaN(sentAt) ? now : sentAt',
    replace: 'const from = now',
    tests: ['test/client/retrying.test.ts', 'test/domain/webhook-schedule.test.ts'],
  },
  {
    name: 'the largest page is one too large',
    file: 'src/contract/primitives.ts',
    find: 'z.int().check(z.gte(1), z.lte(pageSizeMax))',
    replace: 'z.int().check(z.gte(1), z.lt(pageSizeMax))',
    tests: ['test/contract/openapi.test.ts'],
  },
  {
    name: 'an address on the web may have two fragments',
    file: 'src/contract/uri.ts',
    find: '(?:#(?:[',
    replace: '(?:#(?:[#',
    tests: ['test/contract/uri.test.ts'],
  },
  {
    name: 'a reference may be nothing but spaces',
    file: 'src/contract/primitives.ts',
    find: 'export function text(max: number, form = /\\S/,',
    replace: 'export function text(max: number, form = /./,',
    tests: ['test/contract/openapi.test.ts'],
  },
]
