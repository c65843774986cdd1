import { beforeAll, expect, test } from 'vitest'
import { BrokenPipe } from '../../../src/cli/base/io.ts'
import { cliUser, forAllTests } from '../../support/each.ts'

const user = forAllTests(cliUser)
beforeAll(async () => {
  await user.run(['sandbox', 'receive', 'BS-2031'], { terminal: 80 })
})

const tail = [
  'events',
  'tail',
  '--json',
  '--limit',
  '3',
  '--cursor-file',
  'cursor',
  '--database',
  '.local/share/custody/sandbox.db',
]

/** A reader that closes after this much output. */
const readerOf = (length: number) => {
  let all = ''
  return {
    err: '',
    get out() {
      return all
    },
    set out(text) {
      if (text.length > length) throw new BrokenPipe()
      all = text
    },
  }
}

test('an array that was cut off counts as not printed, and the next run starts with its first event', async () => {
  const whole = await user.run(tail.filter((word) => !/cursor/.test(word)))
  const cut = await user.run(tail, { written: readerOf(whole.out.length - 10) })
  expect(cut.out).toContain(JSON.parse(whole.out)[1].id)
  expect((await user.run(tail)).out).toBe(whole.out)
  expect((await user.run(tail)).out).toBe('[]\n')
})
