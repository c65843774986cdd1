import { fulfillmentPresets } from './fulfillment-presets.ts'
import { manifestPresets } from './manifest-presets.ts'
import type { Preset } from './preset.ts'
import { productPresets } from './product-presets.ts'

/** Every export that is known, in the order of `custody presets ls`. */
export const presets: readonly Preset[] = [...manifestPresets, ...productPresets, ...fulfillmentPresets]

export function presetNamed(name: string): Preset | undefined {
  return presets.find((preset) => preset.name === name)
}
