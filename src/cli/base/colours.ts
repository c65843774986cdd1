import * as kleur from 'kleur/colors'
import { ownSequence } from './terminal-text.ts'

export type Paint = (text: string) => string

const names = ['bold', 'dim', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan'] as const

/** Colours for one output; each leaves the text unchanged if colour is off. */
export type Style = Readonly<Record<(typeof names)[number], Paint>>

/** The colours of a terminal. A module of its own, so that only what shows colour pays for it. */
export function colours(): Style {
  // style.ts has decided whether colour is wanted, for this output and not for stdout alone.
  kleur.$.enabled = true
  return Object.fromEntries(names.map((name) => [name, ours(name)])) as Style
}

/** The same colour in sequences marked as our own. */
function ours(name: (typeof names)[number]): Paint {
  const [open = '', close = ''] = kleur[name]('\0').replaceAll('\u001b[', ownSequence).split('\0')
  return (text) => `${open}${text}${close}`
}
