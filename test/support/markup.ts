/** A tag of a page: `<a href>` as `a[href]`, `</a>` as `/a`. */
export type Tag = string

const token = /<!DOCTYPE html>|<(\/?)([a-zA-Z][\w-]*)((?:\s+[\w:-]+="[^"<>]*")*)\s*(\/?)>|[^<]+|</gy

/**
 * The tags of a page in order, without text and attribute values. Throws unless it is well formed: no unclosed tag, stray `<`,
 * attribute without quotes, or `&` that begins no entity.
 */
export function tagsOf(page: string): Tag[] {
  const tags: Tag[] = []
  const open: string[] = []
  for (const [text, slash, name, attributes = '', selfClosing] of page.matchAll(token)) {
    if (text === '<') throw new Error(`a stray < after ${tags.slice(-3).join(' ')}`)
    checkEntities(text)
    if (name === undefined) continue
    tags.push(slash ? `/${name}` : `${name}[${[...attributes.matchAll(/[\w:-]+(?==")/g)].join(' ')}]`)
    if (selfClosing) continue
    if (!slash) open.push(name)
    else if (open.pop() !== name) throw new Error(`</${name}> closes what is not open`)
  }
  if (open.length > 0) throw new Error(`not closed: ${open.join(' ')}`)
  return tags
}

/** The text of a page or a part of it, without tags, with entities resolved. */
export function textOf(markup: string): string {
  return markup
    .replaceAll(/<style>.*?<\/style>/gs, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#\d+);/g, (_, name: string) => characterOf(name))
}

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

function characterOf(name: string): string {
  return characters[name] ?? String.fromCodePoint(Number(name.slice(1)))
}

function checkEntities(text: string): void {
  const wrong = /&(?!(?:amp|lt|gt|quot|#\d+);).{0,20}/.exec(text)
  if (wrong) throw new Error(`an & that begins no entity: ${wrong[0]}`)
}
