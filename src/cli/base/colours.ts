import { $, blue, bold, cyan, dim, green, magenta, red, yellow } from 'kleur/colors'
import { ownSequence } from './terminal-text.ts'

export type Paint = (text: string) => string

const paints = { bold, dim, red, green, yellow, blue, magenta, cyan }

/** Colours for one output; each leaves the text unchanged if colour is off. */
export type Style = Readonly<Record<keyof typeof paints, Paint>>

/** The colours of a terminal. A module of its own, so that only what shows colour pays for it. */
export function colours(): Style {
  // style.ts has decided whether colour is wanted, for this output and not for stdout alone.
  $.enabled = true
  return Object.fromEntries(Object.entries(paints).map(([name, paint]) => [name, ours(paint)])) as Style
}

/** The same colour in sequences marked as our own. */
function ours(paint: Paint): Paint {
  const [open = '', close = ''] = paint('\0').replaceAll('\u001b[', ownSequence).split('\0')
  return (text) => `${open}${text}${close}`
}
