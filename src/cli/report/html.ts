import type { Environment } from '../../contract/enums.ts'
import { own } from '../../contract/own.ts'
import { visible } from '../base/terminal-text.ts'

/** Markup that is safe to print: only `html` creates it. */
export type Html = { readonly markup: string }

type Value = Html | readonly Html[] | string | number

/** Escapes values, for text and for double-quoted attributes, unless they are markup: a partner's text never becomes markup. */
export function html(texts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { markup: texts.map((text, index) => text + markupOf(values[index] ?? '')).join('') }
}

/** Also identifies a page that custody wrote. */
export const pageStart = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>`

export const nothing: Html = { markup: '' }

export function sandboxMark(environment: Environment | undefined): Html {
  return environment === 'sandbox'
    ? html`<p class="sandbox">Sandbox: a rehearsal, no real product</p>`
    : nothing
}

function markupOf(value: Value): string {
  if (typeof value === 'string') return escaped(value)
  if (typeof value === 'number') return String(value)
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return visible(text.toWellFormed()).replaceAll(/[&<>"']/g, (sign) => own(entities, sign) ?? '')
}
