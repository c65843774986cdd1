import { isUtf8 } from 'node:buffer'
import type { FastifyMultipartBaseOptions, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { CallBody, FormFile } from '../../contract/call.ts'
import { csvFileBytesMax, mebibyte } from '../../contract/limits.ts'
import { own } from '../../contract/own.ts'
import { type FieldErrors, invalid, Rejection } from '../../domain/rejection.ts'
import { yieldToEventLoop } from '../../engine/yield-to-event-loop.ts'

const fieldBytesMax = 64 * 1024
const fieldsMax = 20
const filesMax = 10
const nameMax = 200

export const formBytesMax = csvFileBytesMax + mebibyte

export const formLimits: FastifyMultipartBaseOptions = {
  limits: {
    fileSize: csvFileBytesMax,
    files: fieldsMax + filesMax,
    parts: fieldsMax + filesMax,
    headerPairs: 50,
  },
  throwFileSizeLimit: true,
  // Text fields are read as bytes, too: the parser would decode them by the charset that a part names, but text must be UTF-8.
  isPartAFile: () => true,
}

/** The interface declares the file as a string (4.1), so a part without a filename counts as the file, too. */
function isFile({ fieldname, filename, mimetype }: MultipartFile): boolean {
  return fieldname === 'file' || filename !== undefined || mimetype === 'application/octet-stream'
}

export async function readForm(request: FastifyRequest): Promise<CallBody> {
  const fields: Array<[string, string]> = []
  const files: FormFile[] = []
  const bytesMax = Number(request.headers['content-length'] ?? formBytesMax)
  try {
    for await (const part of request.parts()) {
      if (part.fieldname === undefined) throw invalid({ body: ['has a part without a name'] })
      if (part.type === 'field') throw new Error('a part was read as text')
      if (isFile(part)) {
        if (files.length === filesMax) throw invalid({ body: ['has too many files'] })
        files.push({ name: part.fieldname, bytes: await bytesOf(part, files, bytesMax) })
      } else {
        if (fields.length === fieldsMax) throw invalid({ body: ['has too many fields'] })
        fields.push([part.fieldname, await textOf(part)])
      }
    }
  } catch (error) {
    // A parser that has failed stops reading; the rest of the body is discarded with the response (http-pipelining.ts).
    request.raw.unpipe()
    throw formRejection(error)
  }
  return { kind: 'form', fields, files }
}

async function textOf({ fieldname, mimetype, file }: MultipartFile): Promise<string> {
  if (fieldname.length > nameMax) throw invalid({ body: ['has a field with too long a name'] })
  if (mimetype === 'application/json') throw invalid({ [fieldname]: ['must be plain text'] })
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of file as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > fieldBytesMax)
      throw invalid({ [fieldname]: [`must not be larger than ${fieldBytesMax / 1024} KiB`] })
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  if (!isUtf8(bytes)) throw invalid({ [fieldname]: ['is not UTF-8'] })
  return bytes.toString()
}

/** Keeps only the first file named `file`; any other is rejected by its name alone. */
async function bytesOf(
  part: MultipartFile,
  before: readonly FormFile[],
  bytesMax: number,
): Promise<Uint8Array> {
  if (part.fieldname === 'file' && !before.some(({ name }) => name === 'file')) return wholeOf(part, bytesMax)
  part.file.resume()
  return new Uint8Array()
}

/** Assembles the file chunk by chunk as it arrives: joining 20 MB at the end would block all others for 20 ms. */
async function wholeOf({ file }: MultipartFile, bytesMax: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(bytesMax)
  let size = 0
  for await (const chunk of file as AsyncIterable<Buffer>) {
    bytes.set(chunk, size)
    size += chunk.length
    await yieldToEventLoop()
  }
  if (file.truncated) throw invalid(formFaults.FST_REQ_FILE_TOO_LARGE!)
  return bytes.subarray(0, size)
}

function formRejection(error: unknown): unknown {
  if (error instanceof Rejection || !(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  return invalid(own(formFaults, code) ?? { body: ['is not a readable multipart form'] })
}

const formFaults: Record<string, FieldErrors> = {
  FST_REQ_FILE_TOO_LARGE: { file: [`must not be larger than ${csvFileBytesMax / mebibyte} MiB`] },
  FST_FILES_LIMIT: { body: ['has too many parts'] },
  FST_PARTS_LIMIT: { body: ['has too many parts'] },
  FST_PROTO_VIOLATION: { body: ['must not use a reserved name, such as __proto__'] },
  FST_MP_PREMATURE_CLOSE: { body: ['did not arrive completely'] },
}
