import { type Language, say } from '@castellan/contract/messages'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type ssh2 from 'ssh2'
import type { GrantedAsset } from '../../brokering/catalog.ts'
import type { ClientTerminal } from '../../brokering/terminal.ts'
import { LineEditor, type LineResult } from './line-editor.ts'
import { drawTable } from './table.ts'

/** The terminal of an SSH client: its size, its stream, and lines read from it while no session uses it. */
export class TerminalFace {
  readonly term: string
  cols: number
  rows: number
  private channel: ssh2.ServerChannel | undefined
  private readonly editor = new LineEditor((text) => this.write(text))
  private readonly listeners = new Set<(cols: number, rows: number) => void>()
  private readonly take = (data: Buffer) => this.editor.input(data)
  /** Monotonic time of the last input, for the menu's idle limit. */
  lastInput = performance.now()

  constructor(size: { term: string; cols: number; rows: number }) {
    this.term = size.term
    this.cols = size.cols || 80
    this.rows = size.rows || 24
  }

  attach(channel: ssh2.ServerChannel): void {
    if (this.channel) return
    this.channel = channel
    channel.on('close', () => this.editor.abort())
    channel.on('end', () => this.editor.abort())
    channel.pause()
  }

  get isGone(): boolean {
    return !this.channel?.writable
  }

  resize(cols: number, rows: number): void {
    this.cols = cols || this.cols
    this.rows = rows || this.rows
    for (const listener of this.listeners) listener(this.cols, this.rows)
  }

  write(text: string): void {
    if (this.channel?.writable) this.channel.write(text)
  }

  line(text: string): void {
    this.write(`${text.replaceAll('\n', '\r\n')}\r\n`)
  }

  /** Reads one line; the stream is used only during this call. */
  async read(prompt: string, options: { secret?: boolean } = {}): Promise<LineResult> {
    const { channel } = this
    if (!channel?.writable) return { kind: 'end' }
    const note = () => {
      this.lastInput = performance.now()
    }
    this.lastInput = performance.now()
    channel.on('data', this.take).on('data', note)
    channel.resume()
    try {
      return await this.editor.read(prompt, options)
    } finally {
      channel.pause()
      channel.removeListener('data', this.take).removeListener('data', note)
    }
  }

  /** Ends a pending read, as when the menu's idle limit is reached. */
  abort(): void {
    this.editor.abort()
  }

  /** A numbered choice among assets; undefined when the user goes back. */
  async choose(assets: GrantedAsset[], language: Language): Promise<GrantedAsset | undefined> {
    const rows = assets.map((asset, at) => [String(at + 1), asset.name, asset.address, asset.comment ?? ''])
    const titles = [
      gatewayMessages.columnId,
      gatewayMessages.columnName,
      gatewayMessages.columnAddress,
      gatewayMessages.columnComment,
    ]
    return this.pick(
      assets,
      rows,
      titles.map((title) => say(title, language)),
      'ID> ',
      language,
    )
  }

  /** Shows numbered rows and lets the user choose one: three attempts, `q` and `b` go back. */
  async pick<T>(
    items: T[],
    rows: string[][],
    titles: string[],
    prompt: string,
    language: Language,
  ): Promise<T | undefined> {
    const columns = titles.map((title, at) => ({ title, weight: at === 0 ? 0 : 1, least: at === 0 ? 3 : 8 }))
    for (const line of drawTable(columns, rows, this.cols)) this.line(line)
    for (let tries = 0; tries < 3; tries += 1) {
      const answer = await this.read(prompt)
      if (answer.kind !== 'line' || /^(?:q|b|quit|exit|back)$/i.test(answer.text.trim())) return undefined
      const item = /^\d+$/.test(answer.text.trim()) ? items[Number(answer.text) - 1] : undefined
      if (item) return item
      this.line(say(gatewayMessages.notAChoice, language))
    }
    return undefined
  }

  /** The terminal in the form a session uses. */
  asTerminal(command?: string): ClientTerminal {
    if (!this.channel) throw new Error('no channel is attached')
    return {
      stream: this.channel,
      term: this.term,
      cols: this.cols,
      rows: this.rows,
      ...(command === undefined ? {} : { command }),
      onResize: (listener) => {
        this.listeners.add(listener)
        return () => this.listeners.delete(listener)
      },
    }
  }
}
