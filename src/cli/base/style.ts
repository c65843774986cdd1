import type { Io, Outlet } from './io.ts'
import { ownSequence } from './terminal-text.ts'

type Paint = (text: string) => string
const paints = ['bold', 'dim', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan'] as const

/** If colour is off, each function returns the text unchanged. */
export type Style = Readonly<Record<(typeof paints)[number], Paint>>

export const plainStyle = styleOf(() => (text) => text)

function styleOf(paintOf: (name: keyof Style) => Paint): Style {
  return Object.fromEntries(paints.map((name) => [name, paintOf(name)])) as Style
}

/** FORCE_COLOR adds colour to outputs other than terminals. NO_COLOR, which --no-color sets, removes it everywhere. */
export async function styleFor(outlet: Outlet, env: Io['env']): Promise<Style> {
  if (rejectsColour(env) || !isColoured(outlet, env)) return plainStyle
  return colours()
}

/** Only coloured output loads the library. */
export async function colours(): Promise<Style> {
  const { $, ...library } = await import('kleur/colors')
  // The library would only look at stdout.
  $.enabled = true
  return styleOf((name) => ours(library[name]))
}

/** Marks the sequences as ours, so that `terminalText` keeps them. */
function ours(paint: Paint): Paint {
  const [open = '', close = ''] = paint('\0').replaceAll('\u001b[', ownSequence).split('\0')
  return (text) => `${open}${text}${close}`
}

/** Prompts look at the environment alone, where Node.js lets FORCE_COLOR win and warns. */
export function settleColour(env: Io['env'], isOff: boolean): void {
  if (isOff) Object.assign(env, { NO_COLOR: '1' })
  if (rejectsColour(env)) Reflect.deleteProperty(env, 'FORCE_COLOR')
}

function rejectsColour({ NO_COLOR, TERM }: Io['env']): boolean {
  return Boolean(NO_COLOR) || TERM === 'dumb'
}

/** Read as other tools do: 0 and false turn colour off. */
function isColoured({ isTerminal }: Outlet, { FORCE_COLOR }: Io['env']): boolean {
  return FORCE_COLOR ? FORCE_COLOR !== '0' && FORCE_COLOR !== 'false' : isTerminal
}

/** Only statuses that an operator looks for have a colour. */
const statusColours: Partial<Record<keyof Style, readonly string[]>> = {
  green: ['available', 'matched', 'delivered', 'completed', 'reconciled'],
  blue: ['in_fulfillment', 'in_transit', 'pending_transfer', 'receiving', 'processing', 'shipped'],
  red: ['missing', 'exception', 'dead'],
  yellow: ['condition_mismatch', 'unexpected', 'returned', 'declined'],
  dim: ['cancelled', 'released', 'withdrawn'],
}

export function paintStatus(style: Style, status: string): string {
  const [colour] = Object.entries(statusColours).find(([, statuses]) => statuses.includes(status)) ?? []
  return colour === undefined ? status : style[colour as keyof Style](status)
}

export function paintBar(style: Style, bar: string): string {
  return bar
    .replace(/\u2588+/, style.green)
    .replace(/\u2592+/, style.yellow)
    .replace(/\u2591+/, style.dim)
}
