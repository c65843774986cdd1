import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import { parsedJson } from '../../../contract/call.ts'
import { csvFileBytesMax } from '../../../contract/limits.ts'
import { BrokenPipe } from '../../base/io.ts'

/** The largest upload as JSON, in which each line end and quotation mark takes two bytes. */
const messageMiBMax = (2 * csvFileBytesMax) / 1024 / 1024 + 1
const messageBytesMax = messageMiBMax * 1024 * 1024
/** Bytes kept from each end of a longer message: its id is in one of them. */
const edgeBytes = 1024

const parseError = -32_700
const invalidRequest = -32_600

/** Unlike the SDK's own: allows messages as long as an upload, survives longer ones, and reads in linear time. */
export function lineTransport(input: NodeJS.ReadableStream, write: (message: string) => void): Transport {
  let line = emptyLine()
  const transport: Transport = {
    async start() {
      input.on('data', read)
      input.once('end', () => void transport.close())
    },
    send: async (message) => say(message),
    async close() {
      input.off('data', read)
      input.pause()
      transport.onclose?.()
    },
  }

  function read(chunk: Buffer): void {
    let from = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      add(line, chunk.subarray(from, end))
      receive(line)
      line = emptyLine()
      from = end + 1
    }
    add(line, chunk.subarray(from))
  }

  function receive({ parts, bytes, head, tail }: Line): void {
    if (bytes > messageBytesMax) {
      reject(invalidRequest, `A message may have at most ${messageMiBMax} MiB.`, idIn(head, tail))
      return
    }
    const text = Buffer.concat(parts).toString('utf8').trim()
    const message = parsedJson(text)
    const parsed = JSONRPCMessageSchema.safeParse(message)
    if (parsed.success) transport.onmessage?.(parsed.data)
    else if (message !== undefined)
      reject(invalidRequest, 'This is not a JSON-RPC 2.0 message.', idOf(message))
    else if (text !== '') reject(parseError, 'A message must be JSON on one line.')
  }

  function reject(code: number, message: string, id: RequestId | null = null): void {
    say({ jsonrpc: '2.0', id, error: { code, message } })
  }

  function say(message: JSONRPCMessage | object): void {
    try {
      write(`${JSON.stringify(message)}\n`)
    } catch (error) {
      if (!(error instanceof BrokenPipe)) throw error
      void transport.close()
    }
  }
  return transport
}

type RequestId = string | number
/** `parts` is empty once the line is too long. */
type Line = { parts: Buffer[]; bytes: number; head: Buffer; tail: Buffer }

function emptyLine(): Line {
  return { parts: [], bytes: 0, head: Buffer.alloc(0), tail: Buffer.alloc(0) }
}

function add(line: Line, part: Buffer): void {
  if (part.length === 0) return
  if (line.head.length < edgeBytes)
    line.head = Buffer.concat([line.head, part.subarray(0, edgeBytes - line.head.length)])
  line.tail = Buffer.concat([line.tail, part.subarray(-edgeBytes)]).subarray(-edgeBytes)
  line.bytes += part.length
  if (line.bytes > messageBytesMax) line.parts = []
  else line.parts.push(part)
}

/** In a message that is too long: the field after the version, or the last one. */
const firstId = /^\{"jsonrpc": ?"2\.0", ?"id": ?("[^"\\]*"|\d+),/
const lastId = /"id": ?("[^"\\]*"|\d+)\}$/

function idIn(head: Buffer, tail: Buffer): RequestId | undefined {
  const found = (firstId.exec(head.toString('latin1')) ?? lastId.exec(tail.toString('latin1')))?.[1]
  return found === undefined ? undefined : (parsedJson(found) as RequestId)
}

function idOf(message: unknown): RequestId | undefined {
  const { id } = (message ?? {}) as { id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
