// Renders a terminal's text, or a page of the program, as an SVG picture.

/** `colours`: by SGR code. */
type Theme = {
  name: 'light' | 'dark'
  paper: string
  ink: string
  edge: string
  colours: Readonly<Record<number, string>>
}

const light: Theme = {
  name: 'light',
  paper: '#ffffff',
  ink: '#24292f',
  edge: '#d0d7de',
  colours: { 31: '#b42318', 32: '#116329', 33: '#8a5a00', 34: '#0550ae', 35: '#8250df', 36: '#0b6e7f' },
}

const dark: Theme = {
  name: 'dark',
  paper: '#0d1117',
  ink: '#e6edf3',
  edge: '#30363d',
  colours: { 31: '#ff7b72', 32: '#56d364', 33: '#e3b341', 34: '#79c0ff', 35: '#d2a8ff', 36: '#56d4dd' },
}

export const themes: readonly Theme[] = [light, dark]

/** Pixels. */
const cell = { width: 8.4, height: 20, font: 14, margin: 20 }

/** A picture of a terminal of `columns` characters; `text` may contain SGR escapes. */
export function terminalPicture(text: string, columns: number, title: string, theme: Theme): string {
  const lines = text.replace(/\n$/, '').split('\n')
  const width = Math.ceil(columns * cell.width + 2 * cell.margin)
  const height = lines.length * cell.height + 2 * cell.margin
  const drawn = lines.map((line, index) => {
    const y = cell.margin + index * cell.height + cell.font
    return line === '' ? '' : `<text x="${cell.margin}" y="${y}">${spans(line, theme)}</text>`
  })
  return [
    frame(width, height, title, theme),
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${cell.font}" fill="${theme.ink}">`,
    ...drawn.filter((line) => line !== ''),
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

/** A picture of the top `height` pixels of a page that the program wrote. Pages are for paper, so they have one theme. */
export function pagePicture(html: string, width: number, height: number, title: string): string {
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? []
  const [, body = ''] = /<body[^>]*>([\s\S]*?)<\/body>/.exec(html) ?? []
  const css = style.replace(/(^|[\s,}])(?:html|body|:root)(?=[\s,{:])/g, '$1.page')
  return [
    frame(width, height, title, light),
    `<foreignObject x="1" y="1" width="${width - 2}" height="${height - 2}">`,
    `<div xmlns="http://www.w3.org/1999/xhtml" class="page"><style>${escaped(css)}</style>`,
    closedTags(body),
    '</div>',
    '</foreignObject>',
    '</svg>',
    '',
  ].join('\n')
}

function frame(width: number, height: number, title: string, { paper, edge }: Theme): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${paper}" stroke="${edge}"/>`,
  ].join('\n')
}

/** The pieces of a line with their colours and weights. */
function spans(line: string, { colours }: Theme): string {
  const active = new Map<string, string>()
  return (
    line
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins every colour.
      .split(/\u001b\[([\d;]*)m/)
      .map((piece, index) => {
        if (index % 2 === 1) {
          for (const code of piece.split(';')) change(active, Number(code), colours)
          return ''
        }
        if (piece === '') return ''
        // Browsers differ in how they collapse spaces in SVG; all of them keep a no-break space.
        const text = escaped(piece).replaceAll(' ', '\u00a0')
        const attributes = [...active].map(([name, value]) => ` ${name}="${value}"`).join('')
        return attributes === '' ? text : `<tspan${attributes}>${text}</tspan>`
      })
      .join('')
  )
}

function change(active: Map<string, string>, code: number, colours: Theme['colours']): void {
  if (code === 0) active.clear()
  else if (code === 1) active.set('font-weight', 'bold')
  else if (code === 2) active.set('opacity', '0.65')
  else if (code === 22) for (const name of ['font-weight', 'opacity']) active.delete(name)
  else if (code === 39) active.delete('fill')
  else if (colours[code] !== undefined) active.set('fill', colours[code])
  else throw new Error(`no picture has the escape ${code}`)
}

/** Converts HTML to XML: closes void elements, replaces named characters, and adds the SVG namespace to drawings. */
function closedTags(html: string): string {
  return html
    .replace(/<svg (?![^>]*xmlns)/g, '<svg xmlns="http://www.w3.org/2000/svg" ')
    .replace(/<(br|hr|img|meta|link|input|col)\b([^>]*?)\/?>/g, '<$1$2/>')
    .replaceAll('&nbsp;', '&#160;')
    .replaceAll('&ndash;', '&#8211;')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
