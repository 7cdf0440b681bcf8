/**
 * Parser of asciicast v2 (https://docs.asciinema.org/manual/asciicast/v2/): one JSON header line, then one JSON array
 * `[seconds, code, data]` per line. `o` is output, `r` a new size as `COLSxROWS`; other codes are ignored, as the
 * format requires.
 */
export interface CastHeader {
  width: number
  height: number
  /** Start in unix seconds; 0 if the recording has none. */
  timestamp: number
  title: string
}

export type CastEvent =
  | { time: number; code: 'o'; data: string }
  | { time: number; code: 'r'; columns: number; rows: number }

/** A file that is not a playable recording. */
export class UnreadableRecording extends Error {}

/** The largest screen that is rendered, far above any display. A forged size would exhaust memory. */
const mostColumns = 1000
const mostRows = 500
/** The longest recording, in seconds: twelve years. */
const longest = 12 * 366 * 86_400
/** The latest time of a Date, in unix seconds (ECMA-262 §21.4.1.1). */
const latestTimestamp = 8.64e12
/** The longest line that is read, in characters: many times the longest line a gateway writes. */
const longestLine = 8 * 1024 * 1024

/** @throws UnreadableRecording if the line is not an asciicast v2 header, or its screen size is invalid */
export function parseHeader(line: string): CastHeader {
  const header: unknown = parseJson(line)
  if (!isRecord(header) || header.version !== 2) throw new UnreadableRecording('not an asciicast v2')
  const { width = 80, height = 24, timestamp, title } = header
  if (!isSize(width, mostColumns) || !isSize(height, mostRows)) throw new UnreadableRecording('an impossible screen')
  return {
    width,
    height,
    timestamp: typeof timestamp === 'number' && timestamp >= 0 && timestamp <= latestTimestamp ? timestamp : 0,
    title: typeof title === 'string' ? title : '',
  }
}

/** The event of one line: `other` for a code that is not rendered, undefined for an invalid line. */
export function parseLine(line: string): CastEvent | 'other' | undefined {
  const row: unknown = parseJson(line)
  if (!Array.isArray(row)) return undefined
  const [time, code, data] = row as unknown[]
  if (typeof time !== 'number' || !(time >= 0 && time <= longest) || typeof data !== 'string') return undefined
  if (code === 'o') return { time, code, data }
  if (code !== 'r') return 'other'
  const [, columns, rows] = (/^(\d+)x(\d+)$/.exec(data) ?? []).map(Number)
  return isSize(columns, mostColumns) && isSize(rows, mostRows) ? { time, code, columns, rows } : undefined
}

/** The event of one line; undefined for a code that is not rendered, and for a line truncated by a killed recorder. */
export function parseEvent(line: string): CastEvent | undefined {
  const event = parseLine(line)
  return event === 'other' ? undefined : event
}

/**
 * True if the text ends within an escape sequence. A keyframe taken there would lose the start of the sequence, and the
 * rest would be rendered as text.
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
 * The lines of a recording in batches, from a gzip or plain stream. A truncated recording returns everything up to the
 * cut and then `cut: true`; so does one with an endless line.
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
      if (rest.length > longestLine) {
        rest = ''
        cut = true
        break
      }
    }
  } catch (error) {
    // Chromium throws TypeError, Node a zlib error: both mean that the compressed stream ended early.
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
  const combined = new ReadableStream<Uint8Array<ArrayBuffer>>({
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
  return head[0] === 0x1f && head[1] === 0x8b ? combined.pipeThrough(new DecompressionStream('gzip')) : combined
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

function isSize(value: unknown, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most
}
