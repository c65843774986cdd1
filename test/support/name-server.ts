import { createSocket } from 'node:dgram'
import ipaddr from 'ipaddr.js'

/** The server's answer for a name: addresses, that the name does not exist, or nothing at all. */
export type Names = Record<string, readonly string[] | 'silent'>

export type NameServer = { address: string; asked: string[]; close(): Promise<void> }

const typeA = 1
const typeAaaa = 28

/** A name server on a loopback port. `asked` contains each question as `name type`. */
export async function startNameServer(names: Names): Promise<NameServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, from) => {
    const { name, end } = readName(query)
    const type = query.readUInt16BE(end)
    asked.push(`${name} ${type}`)
    const found = names[name] ?? []
    if (found === 'silent') return
    const records = found.map((address) => Uint8Array.from(ipaddr.parse(address).toByteArray()))
    const wanted = records.filter(({ length }) => (length === 4 ? type === typeA : type === typeAaaa))
    socket.send(answer(query.subarray(0, end + 4), type, wanted), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

/** The question and its records; each record points to the name in the question. */
function answer(question: Buffer, type: number, records: readonly Uint8Array[]): Buffer {
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt32BE(0, 8)
  const rest = records.map((bytes) => {
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt32BE(60, 6)
    record.writeUInt16BE(bytes.length, 10)
    return Buffer.concat([record, bytes])
  })
  return Buffer.concat([head, ...rest])
}
