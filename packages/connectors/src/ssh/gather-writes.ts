import type { Socket } from 'node:net'

/**
 * Sends what is written to a socket without a pause with one system call. ssh2 writes each packet in three pieces
 * (length, body, tag), which would go out as three segments, each waking its receiver. Nothing waits for other events:
 * a keystroke is on its way before the next one is looked at.
 */
export function gatherWrites<T extends Socket>(socket: T): T {
  const write = socket.write
  let gathering = false
  const send = () => {
    gathering = false
    socket.uncork()
  }
  socket.write = ((...args: Parameters<typeof write>) => {
    if (!gathering && !socket.destroyed) {
      gathering = true
      socket.cork()
      process.nextTick(send)
    }
    return write.apply(socket, args)
  }) as typeof write
  return socket
}
