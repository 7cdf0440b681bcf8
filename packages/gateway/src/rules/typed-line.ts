import { leadingSequence, terminalAnswer } from './control-sequences.ts'
import type { LineMemory } from './line-memory.ts'
import { SearchMode } from './search-mode.ts'

const longestLine = 64 * 1024
/** A character that combines with the preceding one. */
const mark = /^(?:[\p{Mn}\p{Me}\p{Emoji_Modifier}]|\p{Cf})$/u
const wordPart = /[\p{L}\p{N}]/u

/** Unit removed by one erase key: a byte, a code point, or a character with its combining marks. */
export type EraseUnit = 'byte' | 'point' | 'cluster'

/**
 * The result of the keys of a line in a line editor with the usual keys (readline's emacs keys). `certain` becomes
 * false after a key that not every editor has, `known` after one whose effect only the screen shows.
 */
export class TypedLine {
  private readonly memory: LineMemory
  private readonly unit: EraseUnit
  private chars: string[] = []
  private cursor = 0
  private quoteNext = false
  private decoder = new TextDecoder('utf-8')
  private search: SearchMode | undefined
  private wasKill = false
  certain = true
  known = true
  /** All typed characters, including removed ones. */
  everything = ''

  constructor(memory: LineMemory, unit: EraseUnit = 'point') {
    this.memory = memory
    this.unit = unit
  }

  get text(): string {
    return this.decoded(this.chars)
  }

  get beforeCursor(): string {
    return this.decoded(this.chars.slice(0, this.cursor))
  }

  reset(): void {
    this.chars = []
    this.cursor = 0
    this.certain = true
    this.known = true
    this.everything = ''
    this.quoteNext = false
    this.search = undefined
    this.wasKill = false
    this.memory.leaveHistory()
    this.decoder = new TextDecoder('utf-8')
  }

  /** The line has text that was not typed. */
  doubt(): void {
    this.certain = false
  }

  /** Inserts text unchanged, including control characters (a bracketed paste). */
  insert(text: string): void {
    const points = this.unit === 'byte' ? [...Buffer.from(text).toString('latin1')] : [...text]
    this.put(points)
  }

  /**
   * Processes editing keys, up to the maximum length of a line; the bytes come from `KeySplitter`, so escape sequences
   * are complete.
   */
  edit(bytes: Buffer): void {
    if (this.chars.length > longestLine) return
    const text = this.unit === 'byte' ? bytes.toString('latin1') : this.decoder.decode(bytes, { stream: true })
    for (let at = 0; at < text.length; ) {
      const code = text.codePointAt(at) as number
      if (code === 0x1b) {
        const sequence = leadingSequence.exec(text.slice(at, at + 1100))?.[0] ?? '\u001b'
        this.key(sequence)
        at += sequence.length
        continue
      }
      const char = String.fromCodePoint(code)
      const isPrintable = code >= 0x20 && code !== 0x7f
      if (isPrintable) this.everything += char
      if (this.quoteNext) {
        this.quoteNext = false
        this.put([char])
      } else if (isPrintable && !this.search) {
        this.wasKill = false
        this.put([char])
      } else this.key(char)
      at += char.length
    }
  }

  private key(key: string): void {
    if (this.search?.take(key)) {
      this.found()
      return
    }
    this.search = undefined
    const { wasKill } = this
    this.wasKill = false
    if (key.length === 1 && key >= ' ' && key !== '\u007f') this.put([key])
    else if (!this.move(key) && !this.change(key, wasKill)) {
      this.certain = false
      if (!this.rare(key, wasKill)) this.known = false
    }
  }

  /** Keys that move the cursor, or do nothing. */
  private move(key: string): boolean {
    switch (key) {
      case '\u0001':
      case '\u001b[H':
      case '\u001bOH':
      case '\u001b[1~':
        this.cursor = 0
        return true
      case '\u0002':
      case '\u001b[D':
      case '\u001bOD':
        this.cursor = Math.max(0, this.cursor - 1)
        return true
      case '\u0005':
      case '\u001b[F':
      case '\u001bOF':
      case '\u001b[4~':
        this.cursor = this.chars.length
        return true
      case '\u0006':
      case '\u001b[C':
      case '\u001bOC':
        // At the end of a line this key accepts a suggestion in some shells.
        if (this.cursor === this.chars.length) this.certain = false
        else this.cursor += 1
        return true
      case '\u0007':
      case '\u000c':
        return true
      default:
        // Automatic responses of the terminal (reports of position, color, focus) change no line.
        return terminalAnswer.test(key)
    }
  }

  /** Keys by which every line editor changes its line. */
  private change(key: string, wasKill: boolean): boolean {
    switch (key) {
      case '\u0004':
      case '\u001b[3~':
        this.chars.splice(this.cursor, 1)
        return true
      case '\u0008':
      case '\u007f':
        this.eraseBack()
        return true
      case '\u000b':
        this.killTo(this.chars.length, wasKill)
        return true
      case '\u0015':
        this.killTo(0, wasKill)
        return true
      case '\u0016':
        this.quoteNext = true
        return true
      case '\u0017': {
        let from = this.cursor
        while (from > 0 && this.chars[from - 1] === ' ') from -= 1
        while (from > 0 && this.chars[from - 1] !== ' ') from -= 1
        this.killTo(from, wasKill)
        return true
      }
      default:
        return false
    }
  }

  /** Keys of readline that other programs lack: their effect is followed, but must be confirmed by the screen. */
  private rare(key: string, wasKill: boolean): boolean {
    const { memory } = this
    switch (key) {
      case '\u0019':
        this.insert(memory.yank())
        return true
      case '\u001by': {
        const { old, next } = memory.yankPop()
        this.cursor -= [...old].length
        this.chars.splice(this.cursor, [...old].length)
        this.insert(next)
        return true
      }
      case '\u0014':
        return this.transpose()
      case '\u001bb':
        this.cursor = this.wordStart()
        return true
      case '\u001bf':
        this.cursor = this.wordEnd()
        return true
      case '\u001bd':
        this.killTo(this.wordEnd(), wasKill)
        return true
      case '\u001b\u007f':
      case '\u001b\u0008':
        this.killTo(this.wordStart(), wasKill)
        return true
      case '\u001bu':
      case '\u001bl':
      case '\u001bc':
        this.changeCase(key.slice(1))
        return true
      case '\u001b.':
      case '\u001b_':
        this.insert(memory.lastArgument())
        return true
      case '\u0012':
        this.search = new SearchMode(memory.history)
        return true
      default:
        return this.recall(key)
    }
  }

  private recall(key: string): boolean {
    const steps: Record<string, number> = {
      '\u0010': -1,
      '\u001b[A': -1,
      '\u001bOA': -1,
      '\u000e': 1,
      '\u001b[B': 1,
      '\u001bOB': 1,
      '\u001b<': Number.NEGATIVE_INFINITY,
      '\u001b>': Number.POSITIVE_INFINITY,
    }
    const step = steps[key]
    const text = step === undefined ? undefined : this.memory.recall(step, this.text)
    if (text !== undefined) this.replace(text)
    return text !== undefined
  }

  private found(): void {
    const text = this.search?.result
    if (text === undefined) this.known = false
    else this.replace(text)
  }

  private replace(text: string): void {
    this.chars = []
    this.cursor = 0
    this.insert(text)
  }

  private put(points: string[]): void {
    if (points.length === 1) this.chars.splice(this.cursor, 0, points[0] as string)
    else this.chars = [...this.chars.slice(0, this.cursor), ...points, ...this.chars.slice(this.cursor)]
    this.cursor += points.length
  }

  private eraseBack(): void {
    let from = this.cursor
    while (this.unit === 'cluster' && from > 1 && mark.test(this.chars[from - 1] as string)) from -= 1
    from = Math.max(0, from - 1)
    this.chars.splice(from, this.cursor - from)
    this.cursor = from
  }

  /** Removes the text between the cursor and a position, for a later yank. */
  private killTo(place: number, wasKill: boolean): void {
    const [from, to] = [Math.min(place, this.cursor), Math.max(place, this.cursor)]
    const killed = this.decoded(this.chars.splice(from, to - from))
    if (killed !== '') this.memory.kill(killed, wasKill ? (place < this.cursor ? 'before' : 'behind') : 'new')
    this.cursor = from
    this.wasKill = true
  }

  private transpose(): boolean {
    const at = Math.min(this.cursor, this.chars.length - 1)
    const [one, other] = [this.chars[at - 1], this.chars[at]]
    if (one === undefined || other === undefined) return true
    this.chars.splice(at - 1, 2, other, one)
    this.cursor = at + 1
    return true
  }

  private wordStart(): number {
    let at = this.cursor
    while (at > 0 && !wordPart.test(this.chars[at - 1] as string)) at -= 1
    while (at > 0 && wordPart.test(this.chars[at - 1] as string)) at -= 1
    return at
  }

  private wordEnd(): number {
    let at = this.cursor
    while (at < this.chars.length && !wordPart.test(this.chars[at] as string)) at += 1
    while (at < this.chars.length && wordPart.test(this.chars[at] as string)) at += 1
    return at
  }

  private changeCase(how: string): void {
    const end = this.wordEnd()
    let isFirst = true
    for (; this.cursor < end; this.cursor++) {
      const char = this.chars[this.cursor] as string
      const isUpper = how === 'u' || (how === 'c' && isFirst)
      this.chars[this.cursor] = isUpper ? char.toUpperCase() : char.toLowerCase()
      if (wordPart.test(char)) isFirst = false
    }
  }

  private decoded(chars: string[]): string {
    const text = chars.join('')
    return this.unit === 'byte' ? Buffer.from(text, 'latin1').toString('utf8') : text
  }
}
