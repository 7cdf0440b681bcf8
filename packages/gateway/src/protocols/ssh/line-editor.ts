import { charWidth, textWidth } from './text-width.ts'

export type LineResult = { kind: 'line'; text: string } | { kind: 'interrupt' } | { kind: 'end' }

const longestLine = 512
const escapeSequence = /^.(?:O.|\[[0-?]*[ -/]*[@-~]|.)?/su

/** Reads lines from a terminal with the usual editing, echo and history; supports double-width CJK characters. */
export class LineEditor {
  private readonly show: (text: string) => void
  private readonly history: string[] = []
  private chars: string[] = []
  private cursor = 0
  private at = 0
  private prompt = ''
  private secret = false
  private pending: ((result: LineResult) => void) | undefined
  private ahead: Buffer[] = []
  private decoder = new TextDecoder('utf-8')
  private lastWasReturn = false

  private readonly keys: Readonly<Record<string, () => void>>

  constructor(show: (text: string) => void) {
    this.show = show
    const start = () => this.move(0)
    const end = () => this.move(this.chars.length)
    const left = () => this.move(this.cursor - 1)
    const right = () => this.move(this.cursor + 1)
    const older = () => this.recall(this.at - 1)
    const newer = () => this.recall(this.at + 1)
    const backspace = () => (this.cursor > 0 ? this.erase(this.cursor - 1, 1) : undefined)
    this.keys = {
      '\r': () => this.enter(),
      '\n': () => this.enter(),
      '\u0003': () => {
        this.show('^C\r\n')
        this.finish({ kind: 'interrupt' })
      },
      '\u0004': () => (this.chars.length === 0 ? this.finish({ kind: 'end' }) : this.erase(this.cursor, 1)),
      '\u007f': backspace,
      '\b': backspace,
      '\u0015': () => this.erase(0, this.cursor),
      '\u000b': () => this.erase(this.cursor, this.chars.length),
      '\u001b[3~': () => this.erase(this.cursor, 1),
      '\u0001': start,
      '\u001b[H': start,
      '\u001b[1~': start,
      '\u0005': end,
      '\u001b[F': end,
      '\u001b[4~': end,
      '\u0002': left,
      '\u001b[D': left,
      '\u001bOD': left,
      '\u0006': right,
      '\u001b[C': right,
      '\u001bOC': right,
      '\u0010': older,
      '\u001b[A': older,
      '\u001bOA': older,
      '\u000e': newer,
      '\u001b[B': newer,
      '\u001bOB': newer,
    }
  }

  /** Prompts for one line. A secret one is neither echoed nor added to the history. */
  read(prompt: string, options: { secret?: boolean } = {}): Promise<LineResult> {
    this.prompt = prompt
    this.secret = options.secret ?? false
    this.chars = []
    this.cursor = 0
    this.at = this.history.length
    this.show(prompt)
    return new Promise((resolve) => {
      this.pending = resolve
      const ahead = this.ahead.splice(0)
      for (const data of ahead) this.input(data)
    })
  }

  /** Ends a pending read. */
  abort(): void {
    this.finish({ kind: 'end' })
  }

  input(data: Buffer): void {
    if (!this.pending) {
      if (this.ahead.length < 64) this.ahead.push(data)
      return
    }
    const text = this.decoder.decode(data, { stream: true })
    for (let from = 0; from < text.length; ) {
      const sequence = text[from] === '\u001b' ? escapeSequence.exec(text.slice(from))?.[0] : undefined
      const key = sequence ?? String.fromCodePoint(text.codePointAt(from) as number)
      from += key.length
      this.key(key)
      if (!this.pending) {
        if (from < text.length) this.ahead.push(Buffer.from(text.slice(from)))
        return
      }
    }
  }

  private key(key: string): void {
    const isPair = key === '\n' && this.lastWasReturn
    this.lastWasReturn = key === '\r'
    if (isPair) return
    const act = this.keys[key]
    if (act) act()
    else if (charWidth(key) > 0 && !key.startsWith('\u001b')) this.insert(key)
  }

  private erase(from: number, count: number): void {
    this.chars.splice(from, count)
    this.cursor = from
    this.draw()
  }

  private insert(char: string): void {
    if (this.chars.length >= longestLine) return
    this.chars.splice(this.cursor, 0, char)
    this.cursor += 1
    if (this.secret) return
    if (this.cursor === this.chars.length) this.show(char)
    else this.draw()
  }

  private move(to: number): void {
    this.cursor = Math.min(Math.max(to, 0), this.chars.length)
    this.draw()
  }

  private recall(to: number): void {
    if (this.secret || to < 0 || to > this.history.length) return
    this.at = to
    this.chars = [...(this.history[to] ?? '')]
    this.cursor = this.chars.length
    this.draw()
  }

  private enter(): void {
    this.show('\r\n')
    const text = this.chars.join('')
    if (!this.secret && text.trim() !== '' && this.history.at(-1) !== text) this.history.push(text)
    if (this.history.length > 100) this.history.shift()
    this.finish({ kind: 'line', text })
  }

  private finish(result: LineResult): void {
    const pending = this.pending
    this.pending = undefined
    pending?.(result)
  }

  private draw(): void {
    if (this.secret) return
    const back = textWidth(this.chars.slice(this.cursor).join(''))
    this.show(`\r\u001b[K${this.prompt}${this.chars.join('')}${back > 0 ? `\u001b[${back}D` : ''}`)
  }
}
