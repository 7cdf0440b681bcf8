import type { Readable } from 'node:stream'

/** A program or a target said more than it may. */
export class SaidTooMuch extends Error {}

export interface LineBounds {
  /** Bytes of one line. */
  readonly line: number
  /** Bytes altogether. */
  readonly total: number
  /** What happens to a longer line: it ends the reading, or is passed on in pieces. */
  readonly longer: 'fail' | 'break'
}

/**
 * The lines of a stream that a program of others writes, without their ends. Memory never holds more than one line and
 * one piece of the stream, whatever is written. Leaving the loop, or an error, destroys the stream.
 * @throws SaidTooMuch
 */
export async function* boundedLines(stream: Readable, bounds: LineBounds): AsyncGenerator<string> {
  let pieces: Buffer[] = []
  let length = 0
  let total = 0
  const taken = () => {
    const line = Buffer.concat(pieces, length).toString('utf8')
    pieces = []
    length = 0
    return line
  }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    total += chunk.length
    if (total > bounds.total) throw new SaidTooMuch(`more than ${bounds.total} bytes were written`)
    for (let at = 0; at < chunk.length; ) {
      const end = chunk.indexOf(10, at)
      const stop = Math.min(end < 0 ? chunk.length : end, at + bounds.line - length)
      pieces.push(chunk.subarray(at, stop))
      length += stop - at
      at = stop
      if (stop === end) {
        at++
        yield taken()
      } else if (length >= bounds.line) {
        if (bounds.longer === 'fail') throw new SaidTooMuch(`a line of more than ${bounds.line} bytes was written`)
        yield taken()
      }
    }
  }
  if (length > 0) yield taken()
}

/**
 * Keeps the beginning of what streams of a program say, as text, and reads the rest without keeping it.
 * @param most characters that are kept, of all streams together
 * @returns what was said so far
 */
export function beginningOf(streams: readonly (Readable | null | undefined)[], most: number): () => string {
  let said = ''
  for (const stream of streams)
    stream?.setEncoding('utf8').on('data', (text: string) => {
      if (said.length < most) said += text.slice(0, most - said.length)
    })
  return () => said
}
