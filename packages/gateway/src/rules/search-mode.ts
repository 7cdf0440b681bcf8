/** An incremental search backwards in the history (Ctrl-R), as far as the history is known. */
export class SearchMode {
  private readonly history: readonly string[]
  private query = ''
  private at: number

  constructor(history: readonly string[]) {
    this.history = history
    this.at = history.length - 1
  }

  /** The line found so far; undefined when the search has left the known history. */
  get result(): string | undefined {
    return this.query === '' ? '' : this.history[this.at]
  }

  /** Processes a key of the search; false means that the key ends it and applies to the line found. */
  take(key: string): boolean {
    if (key === '\u0012') this.at -= 1
    else if (key === '\u007f' || key === '\b') this.begin(this.query.slice(0, -1))
    else if (key >= ' ' && !key.startsWith('\u001b')) this.begin(this.query + key)
    else return false
    while (this.at >= 0 && !this.history[this.at]?.includes(this.query)) this.at -= 1
    return true
  }

  private begin(query: string): void {
    if (!query.startsWith(this.query)) this.at = this.history.length - 1
    this.query = query
  }
}
