import kleur from 'kleur'

export type Paint = (text: string) => string

/** Colours for one outlet; each leaves the text as it is where colour is off. */
export type Style = Readonly<
  Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan', Paint>
>

/** The colours of a terminal. A module of its own, so that only terminals pay for it. */
export function colours(): Style {
  kleur.enabled = true
  return kleur
}
