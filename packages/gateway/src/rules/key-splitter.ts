import { leadingSequence, perhapsEnter } from './control-sequences.ts'

/** Kinds of input: text and editing of a line, its end, or keys the line model does not follow. */
export type Key =
  | { kind: 'enter'; bytes: Buffer }
  | { kind: 'perhaps-enter'; bytes: Buffer }
  | { kind: 'end-of-file'; bytes: Buffer }
  | { kind: 'interrupt'; bytes: Buffer }
  | { kind: 'edit'; bytes: Buffer }
  | { kind: 'paste-start'; bytes: Buffer }
  | { kind: 'paste-end'; bytes: Buffer }

const ctrlD = 0x04
const ctrlX = 0x18
/** After Ctrl-X in readline: `e` plays a keyboard macro, Ctrl-E opens the line in an editor and runs it. */
const afterCtrlX = [0x65, 0x05]

const pasteStart = '\u001b[200~'
const pasteEnd = '\u001b[201~'

/**
 * Splits input into keys. Enter is CR, LF and Ctrl-O (readline's operate-and-get-next); Ctrl-D passes a terminal's line
 * to its program, too. An escape sequence cut by the end of a chunk is kept for the next call.
 */
export class KeySplitter {
  private rest = Buffer.alloc(0)
  private isAfterCtrlX = false
  /** Keys that act as Ctrl-D. */
  readonly endsOfFile = new Set([ctrlD])

  /** An incomplete escape sequence is waiting for its end. */
  get hasRest(): boolean {
    return this.rest.length > 0
  }

  /** Stops waiting: a lone ESC was pressed. */
  takeRest(): Buffer {
    const rest = this.rest
    this.rest = Buffer.alloc(0)
    return rest
  }

  split(chunk: Buffer): Key[] {
    const data = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk
    this.rest = Buffer.alloc(0)
    const keys: Key[] = []
    let from = 0
    let at = 0
    const endEdit = () => {
      if (at > from) keys.push({ kind: 'edit', bytes: data.subarray(from, at) })
    }
    while (at < data.length) {
      const byte = data[at] as number
      const mayRun = this.isAfterCtrlX && afterCtrlX.includes(byte)
      this.isAfterCtrlX = byte === ctrlX
      if (mayRun) {
        endEdit()
        keys.push({ kind: 'perhaps-enter', bytes: data.subarray(at, at + 1) })
        from = at += 1
      } else if (byte === 0x0d || byte === 0x0a || byte === 0x0f) {
        endEdit()
        keys.push({ kind: 'enter', bytes: data.subarray(at, at + 1) })
        from = at += 1
      } else if (this.endsOfFile.has(byte)) {
        endEdit()
        keys.push({ kind: 'end-of-file', bytes: data.subarray(at, at + 1) })
        from = at += 1
      } else if (byte === 0x03 || byte === 0x1a || byte === 0x1c) {
        endEdit()
        keys.push({ kind: 'interrupt', bytes: data.subarray(at, at + 1) })
        from = at += 1
      } else if (byte === 0x1b) {
        const end = sequenceEnd(data, at)
        if (end === undefined) {
          endEdit()
          this.rest = Buffer.from(data.subarray(at))
          return keys
        }
        const text = data.toString('latin1', at, end)
        if (text === pasteStart || text === pasteEnd) {
          endEdit()
          keys.push({ kind: text === pasteStart ? 'paste-start' : 'paste-end', bytes: data.subarray(at, end) })
          from = at = end
        } else if (perhapsEnter.test(text)) {
          endEdit()
          keys.push({ kind: 'perhaps-enter', bytes: data.subarray(at, end) })
          from = at = end
        } else {
          at = end
        }
      } else {
        at += 1
      }
    }
    endEdit()
    return keys
  }
}

/** Whether input is a single key: one character, or one escape sequence. */
export function isOneKey(bytes: Buffer): boolean {
  const text = bytes.toString('utf8')
  const [first] = text
  return first === text || leadingSequence.exec(text)?.[0] === text
}

/** The end of an escape sequence; undefined when it is incomplete. */
function sequenceEnd(data: Buffer, at: number): number | undefined {
  const next = data[at + 1]
  if (next === undefined) return undefined
  if (next === 0x4f) return at + 2 < data.length ? at + 3 : undefined
  if (next === 0x5d || next === 0x50) return answerEnd(data, at)
  if (next !== 0x5b) return next < 0x20 || next === 0x7f ? at + 1 : at + 2
  let end = at + 2
  while (end < data.length && (data[end] as number) >= 0x20 && (data[end] as number) < 0x40) end += 1
  if (end - at > 64) return end
  return end < data.length ? end + 1 : undefined
}

/**
 * The end of a terminal response (OSC, DCS). A response must not contain a line end, because an Enter could hide in it.
 */
function answerEnd(data: Buffer, at: number): number | undefined {
  for (let end = at + 2; end < data.length; end += 1) {
    const byte = data[end] as number
    if (byte === 0x07) return end + 1
    if (byte === 0x1b && data[end + 1] === 0x5c) return end + 2
    if (byte < 0x20 && byte !== 0x1b) return at + 2
    if (end - at > 1024) return at + 2
  }
  return undefined
}
