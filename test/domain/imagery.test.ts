import { expect, test } from 'vitest'
import { slabImagery } from '../../src/domain/items/imagery.ts'

test("a slab's front, back, and label have addresses that depend only on its QID (2.5)", () => {
  const at = (variant: string) => `https://cdn.custody.example/items/Q-1234-5678-9ABC/${variant}.webp`
  expect(slabImagery('Q-1234-5678-9ABC')).toEqual([
    { variant: 'front', url: at('front'), width: 1500, height: 2500, format: 'webp' },
    { variant: 'back', url: at('back'), width: 1500, height: 2500, format: 'webp' },
    { variant: 'label', url: at('label'), width: 1500, height: 500, format: 'webp' },
  ])
})
