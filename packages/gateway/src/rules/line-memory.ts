const mostEntries = 100
const mostKills = 10
const longest = 4096

/** The observed memory of a line editor: killed text and earlier lines. */
export class LineMemory {
  private kills: string[] = []
  private yanked = 0
  private at: number | undefined
  private unsaved = ''
  readonly history: string[] = []

  /** A copy, for following a line a second time. */
  copy(): LineMemory {
    const copy = new LineMemory()
    copy.kills = [...this.kills]
    copy.history.push(...this.history)
    return copy
  }

  kill(text: string, place: 'new' | 'before' | 'behind'): void {
    const last = place === 'new' ? '' : (this.kills.pop() ?? '')
    const joined = place === 'before' ? text + last : last + text
    this.kills = [...this.kills, joined.slice(0, longest)].slice(-mostKills)
    this.yanked = 0
  }

  yank(): string {
    return this.kills.at(-1 - this.yanked) ?? ''
  }

  /** The text of the last yank, and its replacement. */
  yankPop(): { old: string; next: string } {
    const old = this.yank()
    this.yanked = (this.yanked + 1) % Math.max(this.kills.length, 1)
    return { old, next: this.yank() }
  }

  entered(line: string): void {
    if (line === '' || line.length > longest || this.history.at(-1) === line) return
    this.history.push(line)
    if (this.history.length > mostEntries) this.history.shift()
  }

  lastArgument(): string {
    return this.history.at(-1)?.split(/\s+/u).at(-1) ?? ''
  }

  /** The line this many steps away in the history; undefined when unknown. */
  recall(step: number, current: string): string | undefined {
    if (this.at === undefined) this.unsaved = current
    const from = this.at ?? this.history.length
    const to = Math.min(Math.max(from + step, step === Number.NEGATIVE_INFINITY ? 0 : -1), this.history.length)
    this.at = Math.max(to, 0)
    if (to < 0) return undefined
    return to === this.history.length ? this.unsaved : this.history[to]
  }

  leaveHistory(): void {
    this.at = undefined
    this.yanked = 0
  }
}
