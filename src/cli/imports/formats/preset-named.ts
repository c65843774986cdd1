import type { Preset } from './presets/preset.ts'
import { presets } from './presets/presets.ts'

export function presetNamed(name: string): Preset | undefined {
  return presets.find((preset) => preset.name === name)
}
