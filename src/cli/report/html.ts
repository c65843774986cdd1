import type { Environment } from '../../contract/enums.ts'
import { own } from '../../contract/own.ts'
import { visible } from '../base/terminal-text.ts'

/** Markup that is safe to print: only `html` makes it. */
export type Html = { readonly markup: string }

type Value = Html | readonly Html[] | string | number

/**
 * A template of markup. Whatever is put into it is escaped, for text and for attributes in double quotes alike, unless it
 * is markup itself: what a partner wrote never becomes part of the page.
 */
export function html(texts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { markup: texts.map((text, index) => text + markupOf(values[index] ?? '')).join('') }
}

/** How every page begins, and is known by. */
export const pageStart = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>`

/** Nothing at all. */
export const nothing: Html = { markup: '' }

/** Marks a page whose data are not real. */
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
