import { box } from './box.ts'

/** The line break of a multipart body. */
export const crlf = '\r\n'

/** One part of a multipart body whose boundary is B. */
export function part(name: string, content: string, filename?: string): string {
  const file = filename === undefined ? '' : `; filename="${filename}"`
  return `--B${crlf}Content-Disposition: form-data; name="${name}"${file}${crlf}${crlf}${content}${crlf}`
}

/** A product's JSON body. */
export function product(sku: string): string {
  return JSON.stringify(box(sku))
}
