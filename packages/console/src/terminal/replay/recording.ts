import { Activity } from './activity.ts'
import {
  type CastEvent,
  type CastHeader,
  endsInsideSequence,
  parseEvent,
  parseHeader,
  parseLine,
  readLines,
  UnreadableRecording,
} from './cast.ts'

/** Characters of cast text in one block: a jump renders at most this much. */
const blockSize = 256 * 1024
/** Parsed blocks in memory: the playing one, its neighbors, and the position before a jump. */
const keptBlocks = 6

interface Block {
  /** Seconds of its first event. */
  start: number
  columns: number
  rows: number
  packed: Blob
}

/**
 * A recording, split into blocks that stay compressed until needed: the browser may store them on disk, and a jump
 * unpacks one block instead of everything before it. Memory use is the compressed size plus a few unpacked blocks,
 * however long the session was.
 */
export class Recording {
  readonly header: CastHeader
  readonly activity = new Activity()
  /** Seconds from the start to the last event read. */
  duration = 0
  /** The file is truncated: a gateway died before completing it. */
  cut = false
  /** Invalid lines were omitted. */
  damaged = false
  complete = false
  readonly #blocks: Block[] = []
  readonly #open = new Map<number, Promise<CastEvent[]>>()

  private constructor(header: CastHeader) {
    this.header = header
  }

  /**
   * Reads a recording. Resolves after the first block and continues reading. Calls `onGrow` on progress, the last time
   * with `complete` set.
   * @throws UnreadableRecording if it is not an asciicast v2 or has no line
   */
  static async open(
    source: ReadableStream<Uint8Array<ArrayBuffer>>,
    onGrow: (recording: Recording) => void,
  ): Promise<Recording> {
    const lines = readLines(source)
    const first = await lines.next()
    if (first.done) throw new UnreadableRecording('empty')
    const [head = '', ...rest] = first.value
    const recording = new Recording(parseHeader(head))
    const reading = recording.#read(lines, rest, onGrow)
    await new Promise<void>((resolve, reject) => {
      recording.#onFirst = resolve
      reading.then(resolve, reject)
    })
    return recording
  }
  #onFirst: () => void = () => undefined

  get blocks(): number {
    return this.#blocks.length
  }

  /** Start and screen size of a block. */
  block(at: number): Readonly<Pick<Block, 'start' | 'columns' | 'rows'>> | undefined {
    return this.#blocks[at]
  }

  /** The block at a time; 0 before the first event. */
  blockAt(time: number): number {
    let low = 0
    let high = this.#blocks.length - 1
    while (low < high) {
      const middle = Math.floor((low + high + 1) / 2)
      if ((this.#blocks[middle]?.start ?? 0) <= time) low = middle
      else high = middle - 1
    }
    return low
  }

  /** The events of a block in order; none if the block does not exist (yet). */
  events(at: number): Promise<CastEvent[]> {
    const known = this.#open.get(at)
    if (known) {
      this.#open.delete(at)
      this.#open.set(at, known)
      return known
    }
    const block = this.#blocks[at]
    if (!block) return Promise.resolve([])
    const events = unpack(block.packed)
    this.#open.set(at, events)
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= keptBlocks) break
      this.#open.delete(oldest)
    }
    return events
  }

  async #read(
    lines: AsyncGenerator<string[], { cut: boolean }>,
    begun: string[],
    onGrow: (recording: Recording) => void,
  ) {
    let text: string[] = []
    let length = 0
    let start = 0
    let size = { columns: this.header.width, rows: this.header.height }
    let startSize = size
    const close = async () => {
      if (text.length === 0) return
      this.#blocks.push({ start, ...startSize, packed: await pack(text.join('\n')) })
      text = []
      length = 0
      startSize = size
      this.#onFirst()
      onGrow(this)
    }
    // The last line may be truncated: an invalid line is damage only if another one follows.
    let unread = false
    const take = async (batch: string[]) => {
      for (const line of batch) {
        if (line.trim() === '') continue
        this.damaged ||= unread
        const event = parseLine(line)
        unread = event === undefined
        if (!event || event === 'other') continue
        if (text.length === 0) start = event.time
        text.push(line)
        length += line.length
        this.duration = Math.max(this.duration, event.time)
        if (event.code === 'o') this.activity.add(event.time, event.data.length)
        else size = { columns: event.columns, rows: event.rows }
        const clean = event.code === 'r' || !endsInsideSequence(event.data)
        if (length >= blockSize && (clean || length >= 2 * blockSize)) await close()
      }
    }
    await take(begun)
    for (;;) {
      const next = await lines.next()
      if (next.done) {
        this.cut = next.value.cut
        break
      }
      await take(next.value)
    }
    await close()
    this.complete = true
    onGrow(this)
  }
}

function pack(text: string): Promise<Blob> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Response(packed).blob()
}

async function unpack(block: Blob): Promise<CastEvent[]> {
  const text = await new Response(block.stream().pipeThrough(new DecompressionStream('gzip'))).text()
  return text.split('\n').flatMap((line) => parseEvent(line) ?? [])
}
