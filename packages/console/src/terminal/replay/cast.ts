/**
 * Reading of asciicast v2 (https://docs.asciinema.org/manual/asciicast/v2/): one JSON header line, then one JSON array
 * `[seconds, code, data]` per line. `o` is output, `r` a new size as `COLSxROWS`; other codes are passed over, as the
 * format demands.
 */
export interface CastHeader {
  width: number
  height: number
  /** Start in unix seconds; 0 when the recording does not say. */
  timestamp: number
  title: string
}

export type CastEvent =
  | { time: number; code: 'o'; data: string }
  | { time: number; code: 'r'; columns: number; rows: number }

/** @throws Error when the line is not the header of an asciicast v2. */
export function parseHeader(line: string): CastHeader {
  const header: unknown = parseJson(line)
  if (!isRecord(header) || header.version !== 2) throw new Error('not an asciicast v2 recording')
  return {
    width: positive(header.width, 80),
    height: positive(header.height, 24),
    timestamp: typeof header.timestamp === 'number' ? header.timestamp : 0,
    title: typeof header.title === 'string' ? header.title : '',
  }
}

/** The event of one line; undefined for a code that is not drawn and for a line cut by the end of a killed recorder. */
export function parseEvent(line: string): CastEvent | undefined {
  const row: unknown = parseJson(line)
  if (!Array.isArray(row)) return undefined
  const [time, code, data] = row as unknown[]
  if (typeof time !== 'number' || !Number.isFinite(time) || time < 0 || typeof data !== 'string') return undefined
  if (code === 'o') return { time, code, data }
  if (code !== 'r') return undefined
  const size = /^(\d{1,4})x(\d{1,4})$/.exec(data)
  if (!size) return undefined
  return { time, code, columns: positive(Number(size[1]), 80), rows: positive(Number(size[2]), 24) }
}

/**
 * True when the text stops in the middle of an escape sequence. A picture taken there would lose the beginning of the
 * sequence, and its rest would be drawn as letters.
 */
export function endsInsideSequence(text: string): boolean {
  const at = text.lastIndexOf('\x1b')
  if (at < 0) return false
  const rest = text.slice(at + 1)
  if (rest === '') return true
  if (rest[0] === '[') return !/^\[[ -?]*[@-~]/.test(rest)
  if (/^[\]P_^]/.test(rest)) return !rest.includes('\x07')
  return /^[ #%()*+\-./]$/.test(rest)
}

/**
 * The lines of a recording as they arrive, in batches. Takes it gzipped or plain. A recording whose end is missing
 * gives everything up to the cut and then returns `cut: true` instead of throwing it all away.
 */
export async function* readLines(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<string[], { cut: boolean }> {
  const reader = (await unpacked(source)).pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  let cut = false
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      if (lines.length > 0) yield lines
    }
  } catch (error) {
    // Chromium says TypeError, Node a zlib error: both mean that the compressed stream stopped early.
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    cut = true
  } finally {
    reader.cancel().catch(() => undefined)
  }
  if (rest.trim()) yield [rest]
  return { cut }
}

async function unpacked(source: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = source.getReader()
  const first = await reader.read()
  const head = first.value ?? new Uint8Array()
  const whole = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      if (head.length > 0) controller.enqueue(head)
    },
    pull: async (controller) => {
      const { value, done } = first.done ? first : await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return head[0] === 0x1f && head[1] === 0x8b ? whole.pipeThrough(new DecompressionStream('gzip')) : whole
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function positive(value: unknown, otherwise: number): number {
  return typeof value === 'number' && value >= 1 && value <= 2000 ? Math.floor(value) : otherwise
}
