import type { FastifyMultipartBaseOptions, MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { CallBody, FormFile } from '../../contract/call.ts'
import { csvFileBytesMax } from '../../contract/limits.ts'
import { type FieldErrors, invalid, Refusal } from '../../domain/refusal.ts'

const mebibyte = 1024 * 1024
const fieldBytesMax = 64 * 1024

/** Bytes of a whole form: the file, and room for the fields and what stands between them. */
export const formBytesMax = csvFileBytesMax + mebibyte

export const formLimits: FastifyMultipartBaseOptions = {
  limits: {
    fileSize: csvFileBytesMax,
    files: 10,
    fields: 20,
    parts: 30,
    fieldSize: fieldBytesMax,
    fieldNameSize: 200,
    headerPairs: 50,
  },
  throwFileSizeLimit: true,
  // The interface calls the file a string (4.1): whoever sends it without a filename has sent it all the same.
  isPartAFile: (name, type, filename) =>
    name === 'file' || filename !== undefined || type === 'application/octet-stream',
}

/** Reads a multipart form. Throws `invalid` on one that is broken or exceeds a limit. */
export async function readForm(request: FastifyRequest): Promise<CallBody> {
  const fields: Array<[string, string]> = []
  const files: FormFile[] = []
  try {
    for await (const part of request.parts()) {
      // Said otherwise by its type.
      if (part.fieldname === undefined) throw invalid({ body: ['has a part without a name'] })
      if (part.type === 'field') fields.push([part.fieldname, textOf(part)])
      else files.push({ name: part.fieldname, bytes: await bytesOf(part, files) })
    }
  } catch (error) {
    // A reader that has given up takes no more: what is still to come is thrown away with the answer (http-reply.ts).
    request.raw.unpipe()
    throw formRefusal(error)
  }
  return { kind: 'form', fields, files }
}

function textOf({ fieldname, value, fieldnameTruncated, valueTruncated }: MultipartValue): string {
  if (fieldnameTruncated) throw invalid({ body: ['has a field with too long a name'] })
  if (valueTruncated) throw invalid({ [fieldname]: [`must not be larger than ${fieldBytesMax / 1024} KiB`] })
  if (typeof value !== 'string') throw invalid({ [fieldname]: ['must be plain text'] })
  if (value.includes('\ufffd')) throw invalid({ [fieldname]: ['is not UTF-8'] })
  return value
}

/** Only the first file named `file` is kept: any other is refused by its name, whatever it holds. */
async function bytesOf(part: MultipartFile, before: readonly FormFile[]): Promise<Uint8Array> {
  if (part.fieldname === 'file' && !before.some(({ name }) => name === 'file')) return part.toBuffer()
  part.file.resume()
  return new Uint8Array()
}

/** What the multipart reader objects to, in the words of the contract. */
function formRefusal(error: unknown): unknown {
  if (error instanceof Refusal || !(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  return invalid(formFaults[code] ?? { body: ['is not a readable multipart form'] })
}

const formFaults: Record<string, FieldErrors> = {
  FST_REQ_FILE_TOO_LARGE: { file: [`must not be larger than ${csvFileBytesMax / mebibyte} MiB`] },
  FST_FILES_LIMIT: { body: ['has too many files'] },
  FST_FIELDS_LIMIT: { body: ['has too many fields'] },
  FST_PARTS_LIMIT: { body: ['has too many parts'] },
  FST_PROTO_VIOLATION: { body: ['must not use a name that every object has, such as __proto__'] },
  FST_INVALID_JSON_FIELD_ERROR: { body: ['must have plain text fields'] },
  FST_MP_PREMATURE_CLOSE: { body: ['did not arrive whole'] },
}
