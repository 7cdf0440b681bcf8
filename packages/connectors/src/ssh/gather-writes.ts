import type { Socket } from 'node:net'

/**
 * Sends consecutive writes to a socket with one system call. ssh2 writes each packet in three parts (length, body,
 * tag), which would be three segments, each waking its receiver. The flush happens within the same tick, so a keystroke
 * is not delayed by other events.
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
