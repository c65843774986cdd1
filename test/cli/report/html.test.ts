import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { visible } from '../../../src/cli/base/terminal-text.ts'
import { html, nothing } from '../../../src/cli/report/html.ts'
import { tagsOf, textOf } from '../../support/markup.ts'
import { hostileText } from '../../support/reports.ts'

describe('html', () => {
  test('escapes its input in text and in attributes', () => {
    expect(html`<p title="${'"a" & \'b\''}">${'<b>'}</p>`.markup).toBe(
      '<p title="&quot;a&quot; &amp; &#39;b&#39;">&lt;b&gt;</p>',
    )
  })

  test('inserts markup unchanged, as one piece, several, or none', () => {
    const items = ['a', 'b'].map((text) => html`<li>${text}</li>`)
    expect(html`<ul>${items}</ul>${nothing}${1.5}`.markup).toBe('<ul><li>a</li><li>b</li></ul>1.5')
  })

  test('never lets text become a tag or an attribute, and keeps every text readable', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const page = html`<p title="${text}">${text}</p>`.markup
        expect(tagsOf(page)).toEqual(['p[title]', '/p'])
        expect(textOf(page)).toBe(visible(text.toWellFormed()))
      }),
    )
  })
})
