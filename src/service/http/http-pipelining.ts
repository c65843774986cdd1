import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { yieldToEventLoop } from '../../engine/yield-to-event-loop.ts'
import { runtime } from '../../runtime/runtime.ts'
import { linger } from './http-unread.ts'

const inProgressMax = 8

/** Bytes of a chunked body that are parsed at once: only the parser knows where the body ends. */
const chunkedSlice = 1024
/** Milliseconds per turn of the event loop that connections without an accepted key may use. */
const strangersMs = 2
const headEnd = '\r\n\r\n'

type Line = {
  inProgress: number
  waiting: Array<{ request: IncomingMessage; begin: () => void }>
  /** A request that changes something is in progress; it runs alone (RFC 9112, 9.3.2). */
  isChanging: boolean
  last: IncomingMessage | undefined
  /** Bytes still to come of the last request's body, if it announced a length. */
  bodyLeft: number
  /** The last bytes parsed: the end of a head may be split between two chunks. */
  seam: string
}

/** `ending`: nothing more is parsed; `ended`: the last response has begun. */
const ending = new WeakSet<Socket>()
const ended = new WeakSet<Socket>()
/** Connections on which a key was accepted. */
const known = new WeakSet<Socket>()

export function knowConnection(socket: Socket): void {
  known.add(socket)
}

export function endsWithAnswer(socket: Socket): void {
  ending.add(socket)
  ended.add(socket)
  // More has arrived; closing the connection at once would lose the response.
  if (socket.isPaused() || socket.readableLength > 0) linger(socket)
}

/** HTTP/1.0 has no chunked bodies: an intermediary may see another end of the body (RFC 9112, 6.1). */
export function isFramedTwice({ httpVersionMinor, headers }: IncomingMessage): boolean {
  return httpVersionMinor === 0 && headers['transfer-encoding'] !== undefined
}

/** At most eight requests per connection (decisions 13): a hundred at once would take one long turn of the event loop. */
export function limitPipelines(server: Server): void {
  const lines = new WeakMap<Socket, Line>()
  const inTurn = createTurns()
  const [answer] = server.listeners('request') as Array<(...given: unknown[]) => void>
  server.removeAllListeners('request')
  server.on('connection', (socket: Socket) => {
    const line: Line = {
      inProgress: 0,
      waiting: [],
      isChanging: false,
      last: undefined,
      bodyLeft: 0,
      seam: '',
    }
    lines.set(socket, line)
    parseInSlices(socket, line, inTurn)
  })
  server.on('connect', (_request, socket: Socket) => ending.add(socket))
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const line = lines.get(socket)
    if (!line || ending.has(socket)) return
    line.last = request
    line.bodyLeft = Number(request.headers['content-length'] ?? 0)
    if (!response.shouldKeepAlive || isFramedTwice(request)) ending.add(socket)
    const begin = (): void => {
      line.inProgress += 1
      line.isChanging = !isSafe(request)
      response.once('close', () => {
        line.inProgress -= 1
        goOn(socket, line)
      })
      answer?.call(server, request, response)
    }
    line.waiting.push({ request, begin })
    beginWaiting(line)
  })
}

function beginWaiting(line: Line): void {
  for (let next = line.waiting[0]; next && mayBegin(line, next.request); next = line.waiting[0]) {
    line.waiting.shift()
    next.begin()
  }
}

function mayBegin({ inProgress, isChanging }: Line, request: IncomingMessage): boolean {
  return inProgress === 0 || (inProgress < inProgressMax && !isChanging && isSafe(request))
}

function isSafe({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

function goOn(socket: Socket, line: Line): void {
  if (ended.has(socket)) line.waiting = []
  beginWaiting(line)
  if (mustWait(line) || socket.destroyed) return
  socket.resume()
}

function mustWait({ inProgress, waiting }: Line): boolean {
  return waiting.length > 0 || inProgress >= inProgressMax
}

/** Replaces Node.js's reading, which parses all of a chunk at once. */
function parseInSlices(socket: Socket, line: Line, inTurn: (task: () => void) => void): void {
  const [parse] = socket.listeners('data') as Array<(bytes: Buffer) => void>
  socket.removeAllListeners('data')
  socket.on('data', (bytes: Buffer) => {
    // Backpressure on bodies comes from their readers (http-call.ts, http-unread.ts).
    if (known.has(socket) || line.last?.complete === false) return parseAll(bytes)
    socket.pause()
    inTurn(() => {
      if (socket.destroyed) return
      socket.resume()
      parseAll(bytes)
    })
  })
  const parseAll = (bytes: Buffer): void => {
    let at = 0
    while (at < bytes.length) {
      const isBody = line.last?.complete === false
      if (ending.has(socket) && !isBody) {
        discardInTurns(socket)
        return
      }
      if (!isBody && mustWait(line)) socket.pause()
      // Node.js pauses, too, while a response or a body is not read.
      if (socket.isPaused()) {
        socket.unshift(bytes.subarray(at))
        return
      }
      const end = sliceEnd(line, bytes, at)
      line.seam = bytes.toString('latin1', Math.max(at, end - 3), end)
      parse?.(bytes.subarray(at, end))
      at = end
    }
  }
}

/** Runs tasks in order, for a short time in each turn of the event loop, so that many new connections do not block the others. */
function createTurns(): (task: () => void) => void {
  const waiting: Array<() => void> = []
  let isRunning = false
  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      await runtime.turn()
      const ends = runtime.uptime() + strangersMs
      do waiting.shift()?.()
      while (waiting.length > 0 && runtime.uptime() < ends)
    }
    isRunning = false
  }
  return (task) => {
    waiting.push(task)
    if (isRunning) return
    isRunning = true
    void run()
  }
}

function sliceEnd(line: Line, bytes: Buffer, at: number): number {
  const { last, bodyLeft } = line
  if (last?.complete === false && bodyLeft > 0) {
    const taken = Math.min(bodyLeft, bytes.length - at)
    line.bodyLeft -= taken
    return at + taken
  }
  if (at === 0) {
    const split = (line.seam + bytes.toString('latin1', 0, 3)).indexOf(headEnd)
    if (split >= 0) return split + headEnd.length - line.seam.length
  }
  const end = bytes.indexOf(headEnd, last?.complete === false ? at + chunkedSlice : at)
  return end < 0 ? bytes.length : end + headEnd.length
}

function discardInTurns(socket: Socket): void {
  linger(socket)
  socket.pause()
  void yieldToEventLoop().then(() => socket.resume())
}
