import type { ImageAsset } from '../../contract/resources/item.ts'

/** The scan of a slab is as tall as a slab is, its label is a strip; pixels. */
const slabScans: ReadonlyArray<Pick<ImageAsset, 'variant' | 'width' | 'height'>> = [
  { variant: 'front', width: 1500, height: 2500 },
  { variant: 'back', width: 1500, height: 2500 },
  { variant: 'label', width: 1500, height: 500 },
]

/** Intake imagery of a slab (2.5): its addresses follow from the QID alone, so they are the same after a return. */
export function slabImagery(qid: string): ImageAsset[] {
  return slabScans.map((scan) => ({
    variant: scan.variant,
    url: `https://cdn.custody.example/items/${qid}/${scan.variant}.webp`,
    width: scan.width,
    height: scan.height,
    format: 'webp',
  }))
}
