/** The address of a socket of the server this page came from. */
export const socketAddress = (path: string): string =>
  `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${path}`

/** A connection that holds this long ends an outage; one that is lost sooner belongs to it. Milliseconds. */
const holds = 10_000

/** JSON sockets of the server, opened again after a loss (1 s, doubling to 30 s). */
export function openSocket(
  path: string,
  onMessage: (message: unknown) => void,
  onOpen?: (send: (message: unknown) => void) => void,
  /** Told once an outage: `refused` when there never was a connection, `lost` when there was one. */
  onLoss?: (how: 'refused' | 'lost') => void,
): () => void {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait = 1000
  let closed = false
  let connected = false
  let opened = Number.POSITIVE_INFINITY
  let told = false
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
        told = false
      }
      opened = Number.POSITIVE_INFINITY
      if (!told) onLoss?.(connected ? 'lost' : 'refused')
      told = true
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
