import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type ssh2 from 'ssh2'

/**
 * Sends consecutive writes to a socket with one system call. ssh2 writes each packet in three parts (length, body,
 * tag), which would be three segments, each waking its receiver. The flush happens within the same tick, so a keystroke
 * is not delayed by other events.
 */
export function gatherWrites<T extends Socket>(socket: T): T {
  return corkedPerTick(socket)
}

type Writev = (chunks: { chunk: Buffer }[], done: (error?: Error | null) => void) => void

/** The same for a channel inside a connection, where each write would become a packet of its own. */
export function gatherChannelWrites<T extends ssh2.Channel>(channel: T): T {
  const writing = channel as unknown as {
    _writev: Writev
    _write: (data: Buffer, encoding: string, done: () => void) => void
  }
  writing._writev = (chunks, done) => writing._write(joined(chunks.map(({ chunk }) => chunk)), 'buffer', done)
  return corkedPerTick(channel)
}

/** All parts as one; without a copy where they lie one behind the other in memory. */
function joined(parts: readonly Buffer[]): Buffer {
  const [first] = parts
  if (!first) return Buffer.alloc(0)
  let end = first.byteOffset
  for (const part of parts) {
    if (part.buffer !== first.buffer || part.byteOffset !== end) return Buffer.concat(parts)
    end += part.length
  }
  return Buffer.from(first.buffer, first.byteOffset, end - first.byteOffset)
}

function corkedPerTick<T extends Duplex>(stream: T): T {
  const write = stream.write
  let gathering = false
  const send = () => {
    gathering = false
    stream.uncork()
  }
  stream.write = ((...args: Parameters<typeof write>) => {
    if (!gathering && !stream.destroyed) {
      gathering = true
      stream.cork()
      process.nextTick(send)
    }
    return write.apply(stream, args)
  }) as typeof write
  return stream
}
