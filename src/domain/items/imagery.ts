import type { ImageAsset } from '../../contract/resources/item.ts'

/** Pixels: a slab is tall, its label a strip. */
const slabScans: ReadonlyArray<Pick<ImageAsset, 'variant' | 'width' | 'height'>> = [
  { variant: 'front', width: 1500, height: 2500 },
  { variant: 'back', width: 1500, height: 2500 },
  { variant: 'label', width: 1500, height: 500 },
]

/** Intake imagery (2.5): the addresses follow from the QID alone, so they stay the same after a return. */
export function slabImagery(qid: string): ImageAsset[] {
  return slabScans.map((scan) => ({
    variant: scan.variant,
    url: `https://cdn.custody.example/items/${qid}/${scan.variant}.webp`,
    width: scan.width,
    height: scan.height,
    format: 'webp',
  }))
}
