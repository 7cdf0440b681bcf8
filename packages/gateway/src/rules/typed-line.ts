import { leadingSequence, perhapsEnter, terminalAnswer } from './control-sequences.ts'

/** Kinds of what a person sends: text and editing of a line, its end, or something the line model does not follow. */
export type Key =
  | { kind: 'enter'; bytes: Buffer }
  | { kind: 'perhaps-enter'; bytes: Buffer }
  | { kind: 'interrupt'; bytes: Buffer }
  | { kind: 'edit'; bytes: Buffer }
  | { kind: 'paste-start'; bytes: Buffer }
  | { kind: 'paste-end'; bytes: Buffer }

const ctrlX = 0x18
/** After Ctrl-X in readline: `e` plays a keyboard macro, Ctrl-E edits the line elsewhere and runs it. */
const afterCtrlX = [0x65, 0x05]

const longestLine = 64 * 1024
const pasteStart = '\u001b[200~'
const pasteEnd = '\u001b[201~'

/**
 * Cuts input into keys. Enter is CR, LF and Ctrl-O (readline's operate-and-get-next); an escape sequence cut by a
 * chunk's end is kept for the next call.
 */
export class KeySplitter {
  private rest = Buffer.alloc(0)
  private isAfterCtrlX = false

  /** Input that has begun an escape sequence and waits for its end. */
  get hasRest(): boolean {
    return this.rest.length > 0
  }

  /** Gives up waiting: a lone ESC was pressed. */
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

/** Where an escape sequence ends; undefined when its end has not come yet. */
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
 * Where an answer of the terminal (OSC, DCS) ends. One that holds a line end is none: an Enter must not hide in it.
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

/**
 * What the person typed, followed through the usual line editing. `certain` is false once a key was used whose effect
 * only the screen can tell (history, completion, search).
 */
export class TypedLine {
  private chars: string[] = []
  private cursor = 0
  private quoteNext = false
  private decoder = new TextDecoder('utf-8')
  certain = true
  /** All characters that were typed, also those that were taken out again. */
  everything = ''

  get text(): string {
    return this.chars.join('')
  }

  get beforeCursor(): string {
    return this.chars.slice(0, this.cursor).join('')
  }

  reset(): void {
    this.chars = []
    this.cursor = 0
    this.certain = true
    this.everything = ''
    this.quoteNext = false
    this.decoder = new TextDecoder('utf-8')
  }

  /** Text put in as it is, control characters included (a bracketed paste). */
  insert(text: string): void {
    const points = [...text]
    this.chars.splice(this.cursor, 0, ...points)
    this.cursor += points.length
  }

  /** Follows editing keys, as far as a line can be long; the bytes come from `KeySplitter`, so escape sequences are whole. */
  edit(bytes: Buffer): void {
    if (this.chars.length > longestLine) return
    const text = this.decoder.decode(bytes, { stream: true })
    for (let at = 0; at < text.length; ) {
      const code = text.codePointAt(at) as number
      if (code === 0x1b) {
        const sequence = leadingSequence.exec(text.slice(at))?.[0] ?? '\u001b'
        this.escape(sequence)
        at += sequence.length
        continue
      }
      const char = String.fromCodePoint(code)
      if (code >= 0x20 && code !== 0x7f) this.everything += char
      if (this.quoteNext) {
        this.quoteNext = false
        this.insert(char)
      } else if (code >= 0x20 && code !== 0x7f) this.insert(char)
      else this.control(code)
      at += char.length
    }
  }

  private control(code: number): void {
    switch (code) {
      case 0x01:
        this.cursor = 0
        return
      case 0x02:
        this.cursor = Math.max(0, this.cursor - 1)
        return
      case 0x04:
        this.chars.splice(this.cursor, 1)
        return
      case 0x05:
        this.cursor = this.chars.length
        return
      case 0x06:
        this.right()
        return
      case 0x07:
        return
      case 0x08:
      case 0x7f:
        if (this.cursor > 0) {
          this.cursor -= 1
          this.chars.splice(this.cursor, 1)
        }
        return
      case 0x0b:
        this.chars.length = this.cursor
        return
      case 0x0c:
        return
      case 0x15:
        this.chars.splice(0, this.cursor)
        this.cursor = 0
        return
      case 0x16:
        this.quoteNext = true
        return
      case 0x17: {
        let from = this.cursor
        while (from > 0 && this.chars[from - 1] === ' ') from -= 1
        while (from > 0 && this.chars[from - 1] !== ' ') from -= 1
        this.chars.splice(from, this.cursor - from)
        this.cursor = from
        return
      }
      case 0x09:
        this.insert('\t')
        this.certain = false
        return
      default:
        this.certain = false
    }
  }

  private right(): void {
    // At the end of a line this key accepts a suggestion in some shells.
    if (this.cursor === this.chars.length) this.certain = false
    else this.cursor += 1
  }

  private escape(sequence: string): void {
    switch (sequence) {
      case '\u001b[D':
      case '\u001bOD':
        this.cursor = Math.max(0, this.cursor - 1)
        return
      case '\u001b[C':
      case '\u001bOC':
        this.right()
        return
      case '\u001b[H':
      case '\u001bOH':
      case '\u001b[1~':
        this.cursor = 0
        return
      case '\u001b[F':
      case '\u001bOF':
      case '\u001b[4~':
        this.cursor = this.chars.length
        return
      case '\u001b[3~':
        this.chars.splice(this.cursor, 1)
        return
      default:
        // Answers of the terminal itself (reports of position, colour, focus) change no line.
        if (terminalAnswer.test(sequence)) return
        this.certain = false
    }
  }
}
