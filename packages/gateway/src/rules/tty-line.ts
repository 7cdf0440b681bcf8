/** Settings of a terminal's own line editing (canonical mode) that affect the resulting line. */
export interface TtyOptions {
  /** Whether erasing removes one byte or one UTF-8 character. */
  unit: 'byte' | 'point'
  /** CR is dropped (igncr) or becomes part of the line (-icrnl) instead of ending it. */
  ignoresCr: boolean
  /** Interrupt keys become part of the line (-isig). */
  keepsInterrupts: boolean
  keys: TtyKeys
}

/** Keys with a special meaning. */
export interface TtyKeys {
  erase: ReadonlySet<number>
  kill: ReadonlySet<number>
  wordErase: ReadonlySet<number>
  quote: ReadonlySet<number>
  endOfFile: ReadonlySet<number>
}

/** The usual settings; one of the two erase keys is set, and which one is unknown. */
export const usualKeys: TtyKeys = {
  erase: new Set([0x7f, 0x08]),
  kill: new Set([0x15]),
  wordErase: new Set([0x17]),
  quote: new Set([0x16]),
  endOfFile: new Set([0x04]),
}

/** No key has a meaning: a terminal in raw mode. */
export const noKeys: TtyKeys = {
  erase: new Set(),
  kill: new Set(),
  wordErase: new Set(),
  quote: new Set(),
  endOfFile: new Set(),
}

/** Maximum length of a line in the kernel. Bytes. */
const longestLine = 4095
const interrupts = [0x03, 0x1a, 0x1c]
/** Flow control and Ctrl-R (which only reprints the line) never become part of a line. */
const leftOut = [0x11, 0x12, 0x13]

/** The result of keys when the terminal edits the line itself, byte for byte. */
export function ttyLine(bytes: Buffer, options: TtyOptions): { text: string; hasControls: boolean } {
  const { keys } = options
  let line: number[] = []
  /** Up to here a program has received the line already (Ctrl-D). */
  let given = 0
  let quoteNext = false
  for (const byte of bytes) {
    if (quoteNext) {
      line.push(byte)
      quoteNext = false
    } else if (keys.erase.has(byte)) eraseOne(line, given, options.unit)
    else if (keys.kill.has(byte)) line.length = Math.min(line.length, given)
    else if (keys.wordErase.has(byte)) eraseWord(line, given)
    else if (keys.quote.has(byte)) quoteNext = true
    else if (keys.endOfFile.has(byte)) given = line.length
    else if (isEnd(byte, options)) {
      line = []
      given = 0
    } else if (byte !== 0x0d && !leftOut.includes(byte)) line.push(byte)
    if (line.length > longestLine) line = line.slice(-longestLine)
  }
  const text = Buffer.from(line).toString('utf8')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is asked for
  return { text, hasControls: /[\u0000-\u0008\u000b-\u001f\u007f]/u.test(text) }
}

const isEnd = (byte: number, { ignoresCr, keepsInterrupts }: TtyOptions) =>
  byte === 0x0a || (byte === 0x0d && !ignoresCr) || (interrupts.includes(byte) && !keepsInterrupts)

function eraseOne(line: number[], given: number, unit: TtyOptions['unit']): void {
  const isContinued = () => unit === 'point' && line.length > given + 1 && ((line.at(-1) ?? 0) & 0xc0) === 0x80
  while (isContinued()) line.pop()
  if (line.length > given) line.pop()
}

const isWordPart = (byte: number) =>
  byte === 0x5f || (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)

/** The kernel's words are letters, digits and underscores; the text after the last word is removed with it. */
function eraseWord(line: number[], given: number): void {
  for (let seen = false; line.length > given; line.pop()) {
    const isPart = isWordPart(line.at(-1) as number)
    if (seen && !isPart) return
    seen ||= isPart
  }
}
