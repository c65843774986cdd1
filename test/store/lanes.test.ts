import { describe, expect, test } from 'vitest'
import { createLanes } from '../../src/store/postgres/pg.ts'

describe('lanes', () => {
  test('run tasks of one key in order, and those of other keys in parallel', async () => {
    const inLane = createLanes(30_000)
    const story: string[] = []
    let open = (): void => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const tell = (key: number, word: string, wait: Promise<void> = Promise.resolve()) =>
      inLane(key, async () => {
        await wait
        story.push(word)
      })
    const all = [tell(1, 'first', gate), tell(1, 'second'), tell(1, 'third'), tell(2, 'other lane')]
    await all[3]
    open()
    await Promise.all(all)
    expect(story).toEqual(['other lane', 'first', 'second', 'third'])
  })

  test('let the next task in after one that throws', async () => {
    const inLane = createLanes(30_000)
    const failing = inLane(1, () => Promise.reject(new Error('no')))
    const next = inLane(1, async () => 'in')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('in')
  })

  test('let a task that waits too long give up, and nobody behind it runs early', async () => {
    const inLane = createLanes(5)
    let open = (): void => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const first = inLane(1, () => gate)
    const late = inLane(1, async () => 'never')
    await expect(late).rejects.toMatchObject({ fault: 'busy' })
    let done = false
    const patient = createLanes(30_000)
    const held = patient(1, () => gate)
    const behind = patient(1, async () => {
      done = true
    })
    expect(done).toBe(false)
    open()
    await Promise.all([first, held, behind])
    expect(done).toBe(true)
  })
})
