/** The address of a WebSocket on the server of this page. */
export const socketAddress = (path: string): string =>
  `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${path}`

/** A connection that lasts this long ends an outage. One that is lost earlier belongs to the outage. Milliseconds. */
const holds = 10_000

/** JSON WebSockets that reconnect after a loss (1 s, doubling to 30 s). */
export function openSocket(
  path: string,
  onMessage: (message: unknown) => void,
  onOpen?: (send: (message: unknown) => void) => void,
  /** Called once per outage: `refused` if there was never a connection, `lost` otherwise. */
  onLoss?: (how: 'refused' | 'lost') => void,
): () => void {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait = 1000
  let closed = false
  let connected = false
  let opened = Number.POSITIVE_INFINITY
  let reported = false
  const connect = () => {
    socket = new WebSocket(socketAddress(path))
    socket.onopen = () => {
      connected = true
      opened = Date.now()
      onOpen?.((message) => socket?.send(JSON.stringify(message)))
    }
    socket.onmessage = (event) => {
      if (typeof event.data === 'string') onMessage(JSON.parse(event.data))
    }
    socket.onclose = () => {
      if (closed) return
      if (Date.now() - opened > holds) {
        wait = 1000
        reported = false
      }
      opened = Number.POSITIVE_INFINITY
      if (!reported) onLoss?.(connected ? 'lost' : 'refused')
      reported = true
      timer = setTimeout(connect, wait)
      wait = Math.min(30_000, wait * 2)
    }
  }
  connect()
  return () => {
    closed = true
    clearTimeout(timer)
    socket?.close()
  }
}

/** A JSON WebSocket for one request, which is sent at once. It does not reconnect: the request would run again. */
export function askSocket(
  path: string,
  request: unknown,
  onMessage: (message: unknown) => void,
  /** Called once: `done` if the server ended it in order, `lost` otherwise. */
  onEnd: (how: 'done' | 'lost') => void,
): () => void {
  const socket = new WebSocket(socketAddress(path))
  let closed = false
  socket.onopen = () => socket.send(JSON.stringify(request))
  socket.onmessage = (event) => {
    if (typeof event.data === 'string' && !closed) onMessage(JSON.parse(event.data))
  }
  socket.onclose = ({ code }) => {
    if (!closed) onEnd(code === 1000 ? 'done' : 'lost')
  }
  return () => {
    closed = true
    socket.close()
  }
}
