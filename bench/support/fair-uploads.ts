import { type Asked, ask } from './fair-requests.ts'

/** A CSV file in a form, as tools send it. */
export function upload(
  target: Pick<Asked, 'origin' | 'key'>,
  path: string,
  reference: string,
  csv: string,
): Promise<void> {
  const boundary = 'fair-boundary'
  const form =
    `--${boundary}\r\ncontent-disposition: form-data; name="reference"\r\n\r\n${reference}\r\n` +
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n${csv}\r\n--${boundary}--\r\n`
  return ask({ ...target, path, form: { text: form, type: `multipart/form-data; boundary=${boundary}` } })
}
