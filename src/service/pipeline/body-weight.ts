import type { CallBody } from '../../contract/call.ts'
import type { Operation } from '../../contract/operation.ts'
import type { WriteOptions } from '../../store/database.ts'

/** Characters of a JSON body whose work is brief. */
export const briefBodyMax = 16 * 1024
/** Bytes of a file whose work takes seconds: some thousand rows. */
export const longFileMin = 512 * 1024

/** Whether a write is over in a moment, as far as its operation and its body tell, or commits for long. */
export function weightOf(operation: Operation, body: CallBody): Pick<WriteOptions, 'brief' | 'long'> {
  if (body.kind === 'form') {
    return { long: operation.long === true && body.files.some(({ bytes }) => bytes.length >= longFileMin) }
  }
  const length = body.kind === 'empty' ? 0 : body.text.length
  return { brief: operation.brief === true && length <= briefBodyMax }
}
