import { $, blue, bold, cyan, dim, green, magenta, red, yellow } from 'kleur/colors'
import { ownSequence } from './terminal-text.ts'

export type Paint = (text: string) => string

const paints = { bold, dim, red, green, yellow, blue, magenta, cyan }

/** If colour is off, each function returns the text unchanged. */
export type Style = Readonly<Record<keyof typeof paints, Paint>>

/** A separate module, so that only coloured output loads the library. */
export function colours(): Style {
  // style.ts has already decided for this output; the library would only look at stdout.
  $.enabled = true
  return Object.fromEntries(Object.entries(paints).map(([name, paint]) => [name, ours(paint)])) as Style
}

/** Marks the sequences as ours, so that `terminalText` keeps them. */
function ours(paint: Paint): Paint {
  const [open = '', close = ''] = paint('\0').replaceAll('\u001b[', ownSequence).split('\0')
  return (text) => `${open}${text}${close}`
}
