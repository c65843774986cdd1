import kleur from 'kleur'
import type { Style } from './style.ts'

/** The colours of a terminal. A module of its own, so that only terminals pay for it. */
export function colours(): Style {
  kleur.enabled = true
  return kleur
}
