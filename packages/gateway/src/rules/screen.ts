import xterm from '@xterm/headless'

/** Internal parts of the emulator that a command reader needs. */
interface EmulatorCore {
  writeSync(data: Uint8Array | string): void
  coreService: { isCursorHidden: boolean }
}

/** Bytes kept completely at the end of a burst; earlier ones are only searched for changes of mode. */
const burstTail = 64 * 1024
const burstLimit = 256 * 1024
const linesAbove = 30
const esc = 0x1b

/** A position on the screen that moves with its line when the screen scrolls. */
export interface Place {
  /** Undefined when the line has left the scrollback. */
  row(): number | undefined
  column: number
  /** The text left of it on its line: usually the prompt. */
  prefix: string
  dispose(): void
}

/**
 * The state of a user's terminal, by the same emulator that the browser uses. Fed with the target's output; parsing is
 * deferred until the state is needed or output pauses, so that it never slows output.
 */
export class Screen {
  private readonly terminal: InstanceType<typeof xterm.Terminal>
  private readonly core: EmulatorCore
  private pending: Buffer[] = []
  private pendingSize = 0
  private timer: NodeJS.Timeout | undefined
  private disposed = false

  constructor(cols: number, rows: number) {
    this.terminal = new xterm.Terminal({
      cols: Screen.bound(cols, 80, 500),
      rows: Screen.bound(rows, 24, 300),
      scrollback: linesAbove,
      allowProposedApi: true,
      logLevel: 'off',
    })
    // The public write() is asynchronous; a decision at Enter needs the current state.
    this.core = (this.terminal as unknown as { _core: EmulatorCore })._core
  }

  private static bound(value: number, fallback: number, most: number): number {
    return Number.isInteger(value) && value > 1 ? Math.min(value, most) : fallback
  }

  /** Queues output of the target; cheap. */
  feed(data: Buffer): void {
    if (this.disposed) return
    this.pending.push(data)
    this.pendingSize += data.length
    if (this.pendingSize > burstLimit) this.flush()
    else this.timer ??= setTimeout(() => this.flush(), 30)
  }

  /** Parses all queued output. */
  flush(): void {
    if (this.timer) clearTimeout(this.timer)
    this.timer = undefined
    if (this.pendingSize === 0 || this.disposed) return
    const data = this.pending.length === 1 ? (this.pending[0] as Buffer) : Buffer.concat(this.pending, this.pendingSize)
    this.pending = []
    this.pendingSize = 0
    this.core.writeSync(data.length > burstLimit / 2 ? condense(data) : data)
  }

  resize(cols: number, rows: number): void {
    this.flush()
    this.terminal.resize(Screen.bound(cols, 80, 500), Screen.bound(rows, 24, 300))
  }

  /** True while a program uses the alternate screen. */
  get hasAlternateBuffer(): boolean {
    return this.terminal.buffer.active.type === 'alternate'
  }

  /** True while a program uses the alternate screen or has hidden the cursor, as top does. */
  get isFullScreen(): boolean {
    return this.terminal.buffer.active.type === 'alternate' || this.core.coreService.isCursorHidden
  }

  get bracketedPaste(): boolean {
    return this.terminal.modes.bracketedPasteMode
  }

  get emulator(): InstanceType<typeof xterm.Terminal> {
    return this.terminal
  }

  /** The current position of the cursor; where its line begins with `prompt`, the one behind that. */
  mark(prompt = ''): Place {
    this.flush()
    const buffer = this.terminal.buffer.active
    const cursorRow = buffer.baseY + buffer.cursorY
    const start = this.lineStart(cursorRow)
    const behind = this.cells(start, 0, cursorRow, buffer.cursorX, false).startsWith(prompt) && prompt.trim() !== ''
    const { row: fixedRow, column } = behind
      ? this.cellBehind(start, prompt)
      : { row: cursorRow, column: buffer.cursorX }
    const marker = buffer.type === 'normal' ? this.terminal.registerMarker(fixedRow - cursorRow) : undefined
    return {
      row: () => (marker ? (marker.isDisposed || marker.line < 0 ? undefined : marker.line) : fixedRow),
      column,
      prefix: this.cells(start, 0, fixedRow, column, false),
      dispose: () => marker?.dispose(),
    }
  }

  /**
   * The text from a position to the end of its logical line (wrapped rows joined), or to the end of the screen's
   * content when `multiline`, or of the row with the cursor when `toCursor`. `upToGap` stops at cells that were never
   * written, which excludes a prompt at the right edge.
   */
  textFrom(place: Place, options: { multiline?: boolean; toCursor?: boolean; upToGap?: boolean } = {}): string {
    this.flush()
    const row = place.row() ?? 0
    const column = place.row() === undefined ? 0 : place.column
    const buffer = this.terminal.buffer.active
    let last = row
    if (options.multiline) {
      last = Math.max(row, buffer.baseY + buffer.cursorY)
      while (last + 1 < buffer.length && this.rowText(last + 1) !== '') last += 1
    } else if (options.toCursor) {
      last = Math.max(row, buffer.baseY + buffer.cursorY)
    } else {
      last = this.lineEnd(row)
    }
    return this.cells(row, column, last, Number.POSITIVE_INFINITY, options.upToGap ?? false)
  }

  /** True while the cursor is in the logical line of a position. */
  isCursorIn(place: Place): boolean {
    this.flush()
    const row = place.row()
    const buffer = this.terminal.buffer.active
    return row !== undefined && this.lineStart(row) === this.lineStart(buffer.baseY + buffer.cursorY)
  }

  /** The text from a position to the cursor; undefined when the cursor is not after it in its logical line. */
  upToCursor(place: Place): string | undefined {
    if (!this.isCursorIn(place)) return undefined
    const buffer = this.terminal.buffer.active
    const [row, cursorRow] = [place.row() ?? 0, buffer.baseY + buffer.cursorY]
    if (cursorRow < row || (cursorRow === row && buffer.cursorX < place.column)) return undefined
    return this.cells(row, place.column, cursorRow, buffer.cursorX, false)
  }

  /** True when the text before a position, usually the prompt, has changed: the line was redrawn. */
  isMoved(place: Place): boolean {
    this.flush()
    const row = place.row()
    return row === undefined || this.cells(this.lineStart(row), 0, row, place.column, false) !== place.prefix
  }

  /** The logical line with the cursor, and its part left of the cursor. */
  currentLine(): { whole: string; beforeCursor: string } {
    this.flush()
    const buffer = this.terminal.buffer.active
    const row = buffer.baseY + buffer.cursorY
    const start = this.lineStart(row)
    const last = this.lineEnd(row)
    return {
      whole: this.cells(start, 0, last, Number.POSITIVE_INFINITY, true),
      beforeCursor: this.cells(start, 0, row, buffer.cursorX, false),
    }
  }

  /** True when the text contains cells that were never written: a tab that the terminal echoed unprocessed. */
  hasGap(place: Place): boolean {
    const cut = this.textFrom(place, { upToGap: true })
    return cut.trimEnd() !== this.textFrom(place).trimEnd()
  }

  dispose(): void {
    if (this.disposed) return
    this.disposed = true
    if (this.timer) clearTimeout(this.timer)
    this.terminal.dispose()
  }

  /** The cell behind a text with which a logical line begins. */
  private cellBehind(start: number, text: string): { row: number; column: number } {
    const { cols } = this.terminal
    let at = 0
    while (this.cells(start, 0, start + Math.floor(at / cols), at % cols, false).length < text.length) at += 1
    return { row: start + Math.floor(at / cols), column: at % cols }
  }

  private lineStart(row: number): number {
    const buffer = this.terminal.buffer.active
    let start = row
    while (start > 0 && buffer.getLine(start)?.isWrapped) start -= 1
    return start
  }

  /** The emulator's buffer is circular: a line that fills all rows ends after their number. */
  private lineEnd(row: number): number {
    const buffer = this.terminal.buffer.active
    let last = row
    while (last + 1 < buffer.length && buffer.getLine(last + 1)?.isWrapped) last += 1
    return last
  }

  private rowText(row: number): string {
    return this.terminal.buffer.active.getLine(row)?.translateToString(true) ?? ''
  }

  private cells(fromRow: number, fromColumn: number, toRow: number, toColumn: number, upToGap: boolean): string {
    const buffer = this.terminal.buffer.active
    let text = ''
    for (let row = fromRow; row <= toRow; row += 1) {
      const line = buffer.getLine(row)
      if (!line) break
      const from = row === fromRow ? fromColumn : 0
      const to = row === toRow ? Math.min(toColumn, line.length) : line.length
      const next = row < toRow && buffer.getLine(row + 1)?.isWrapped
      let rowText = ''
      for (let x = from; x < to; x += 1) {
        const cell = line.getCell(x)
        if (!cell || cell.getWidth() === 0) continue
        const chars = cell.getChars()
        // The last column is empty when a wide character did not fit and wrapped.
        if (chars === '' && upToGap && !(next && x === line.length - 1)) return text + rowText
        if (chars === '' && next && x === line.length - 1) continue
        rowText += chars === '' ? ' ' : chars
      }
      text += row < toRow && !next ? `${rowText.trimEnd()}\n` : rowText
    }
    return toColumn === Number.POSITIVE_INFINITY ? text.trimEnd() : text
  }
}

/**
 * Shortens a burst to its tail plus all earlier control sequences that change the terminal's lasting state (private
 * modes, character sets, scroll region, reset), so that nothing needed for later decisions is lost.
 */
export function condense(data: Buffer): Buffer {
  const newline = data.indexOf(0x0a, data.length - burstTail)
  const tailStart = newline === -1 ? data.length - burstTail : newline
  const first = data.indexOf(0x0a)
  if (first === -1 || first >= tailStart) return data
  const kept: Buffer[] = [data.subarray(0, first + 1)]
  for (let at = data.indexOf(esc, first); at !== -1 && at < tailStart; at = data.indexOf(esc, at + 1)) {
    const end = stateSequenceEnd(data, at)
    if (end) kept.push(data.subarray(at, end))
  }
  kept.push(data.subarray(tailStart))
  return Buffer.concat(kept)
}

/** End of a state-changing sequence that starts at `at`, or 0 for any other. */
function stateSequenceEnd(data: Buffer, at: number): number {
  const next = data[at + 1]
  if (next === 0x5b /* [ */) {
    let end = at + 2
    while (end < data.length && end < at + 40 && (data[end] as number) >= 0x20 && (data[end] as number) < 0x40) end += 1
    const final = data[end]
    return final === 0x68 || final === 0x6c || final === 0x72 || final === 0x70 ? end + 1 : 0
  }
  if (next === 0x28 || next === 0x29) return at + 3
  if (next === 0x63 || next === 0x3d || next === 0x3e) return at + 2
  return 0
}
