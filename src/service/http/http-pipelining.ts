import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { yieldToEventLoop } from '../../engine/yield-to-event-loop.ts'
import { runtime } from '../../runtime/runtime.ts'

const inProgressMax = 8

/** Bytes of a chunked body that are parsed at once: only the parser knows where the body ends. */
const chunkedSlice = 1024
/** Milliseconds per turn of the event loop that connections without an accepted key may use. */
const strangersMs = 2
/** The event loop accepts one connection per turn: up to this many are accepted before waiting ones continue. */
const acceptedMax = 100
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
const known = new WeakSet<Socket>()

type Turns = ReturnType<typeof createTurns>

export function knowConnection(socket: Socket): void {
  known.add(socket)
}

export function endsWithAnswer(socket: Socket): void {
  ending.add(socket)
  ended.add(socket)
  // More has arrived; closing the connection at once would lose the response.
  if (socket.isPaused() || socket.readableLength > 0) linger(socket)
}

/** At most eight requests per connection (decisions 13): a hundred at once would take one long turn of the event loop. */
export function limitPipelines(server: Server): void {
  const lines = new WeakMap<Socket, Line>()
  const turns = createTurns()
  const [answer] = server.listeners('request') as Array<(...given: unknown[]) => void>
  server.removeAllListeners('request')
  server.on('connection', (socket: Socket) => {
    turns.accept()
    const line: Line = {
      inProgress: 0,
      waiting: [],
      isChanging: false,
      last: undefined,
      bodyLeft: 0,
      seam: '',
    }
    lines.set(socket, line)
    parseInSlices(socket, line, turns)
  })
  server.on('connect', (_request, socket: Socket) => ending.add(socket))
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const line = lines.get(socket)
    if (!line || ending.has(socket)) return
    line.last = request
    line.bodyLeft = Number(request.headers['content-length'] ?? 0)
    // HTTP/1.0 has no chunked bodies, so an intermediary may end the body elsewhere (RFC 9112, 6.1).
    if (request.httpVersionMinor === 0 && request.headers['transfer-encoding'] !== undefined)
      response.shouldKeepAlive = false
    if (!response.shouldKeepAlive) ending.add(socket)
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
function parseInSlices(socket: Socket, line: Line, { inTurn }: Turns): void {
  const [parse] = socket.listeners('data') as Array<(bytes: Buffer) => void>
  socket.removeAllListeners('data')
  socket.on('data', (bytes: Buffer) => {
    // Backpressure on bodies comes from their readers (http-call.ts, `discard`).
    if (known.has(socket) || line.last?.complete === false) return parseAll(bytes)
    socket.pause()
    inTurn(socket.remoteAddress ?? '', () => {
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

/** Runs tasks for a short time in each turn of the event loop; addresses take turns, so that nobody waits for another's queue. */
function createTurns() {
  const waiting = new Map<string, Array<() => void>>()
  let isRunning = false
  let hasAccepted = false
  const runNext = (): void => {
    const [[address, tasks] = ['', []]] = waiting
    waiting.delete(address)
    const task = tasks.shift()
    if (tasks.length > 0) waiting.set(address, tasks)
    task?.()
  }
  const run = async (): Promise<void> => {
    while (waiting.size > 0) {
      for (let at = 0; at < acceptedMax; at++) {
        await runtime.turn()
        if (!hasAccepted) break
        hasAccepted = false
      }
      const ends = runtime.uptime() + strangersMs
      do runNext()
      while (waiting.size > 0 && runtime.uptime() < ends)
    }
    isRunning = false
  }
  return {
    accept(): void {
      hasAccepted = true
    },
    inTurn(address: string, task: () => void): void {
      const tasks = waiting.get(address)
      if (tasks) tasks.push(task)
      else waiting.set(address, [task])
      if (isRunning) return
      isRunning = true
      void run()
    },
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

const skippedBytesMax = 64 * 1024
/** How long a rejected sender may keep sending before the connection is cut, in milliseconds. */
const lingerMs = 2_000

/** Discards the rest of an unfinished body, which would block the connection's next request. */
export function endsUnread(request: IncomingMessage, response: ServerResponse): boolean {
  if (!request.complete || request.readableLength > 0) discard(request)
  if (request.complete || !isLongBody(request.headers)) return false
  if (response.socket) linger(response.socket)
  return true
}

function isLongBody(headers: IncomingHttpHeaders): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  return Number(headers['content-length'] ?? 0) > skippedBytesMax
}

function linger(socket: Socket): void {
  socket.destroySoon = () => endSoon(socket)
}

/** Cutting the connection at once would make the sender's system discard the response while its bytes are still in flight. */
export function endSoon(socket: Socket): void {
  socket.end()
  socket.resume()
  const callOff = runtime.after(lingerMs, () => socket.destroy())
  socket.once('close', callOff)
}

/** Yields between chunks: by default, Node.js reads 2 MB from each sender before doing anything else. */
function discard(unread: Readable): void {
  unread.on('data', () => {
    unread.pause()
    void yieldToEventLoop().then(() => unread.resume())
  })
  unread.resume()
}
