import { BracketedPaste } from './bracketed-paste.ts'
import { ContinuedLine } from './continued-line.ts'
import { EarlierLine } from './earlier-line.ts'
import { KeyQueue } from './key-queue.ts'
import { KeyRecord } from './key-record.ts'
import { isOneKey, type Key } from './key-splitter.ts'
import { LateEchoes } from './late-echoes.ts'
import { limits } from './limits.ts'
import { asksSecret, type LineView } from './line-reading.ts'
import type { OpenLine } from './open-line.ts'
import { OutputCapture, plainText, type RunningCommand } from './output-capture.ts'
import type { Phase, ReaderEffect, RunningText } from './reader-events.ts'
import { RecalledLine } from './recalled-line.ts'
import { type Place, Screen } from './screen.ts'
import { type Owner, ScreenOwner } from './screen-owner.ts'
import { TtySettings } from './tty-settings.ts'
import { Turns } from './turns.ts'
import { TypedLine } from './typed-line.ts'

const mostSeen = 32

/**
 * All state of the command reader. It has no clock and no timers: `now` is the time of the current event, and effects
 * are collected in `effects`.
 */
export class ReaderState {
  /** True when rules exist, so that an invisible line must not pass. */
  guarded: boolean
  readonly screen: Screen
  readonly owner: ScreenOwner
  readonly queue = new KeyQueue()
  readonly turns = new Turns()
  readonly record = new KeyRecord()
  readonly typed = new TypedLine(this.record.memory)
  readonly settings = new TtySettings()
  readonly continued = new ContinuedLine()
  readonly recalled = new RecalledLine()
  readonly capture = new OutputCapture((command, output) => this.captured(command, output))
  readonly earlier: EarlierLine
  readonly paste = new BracketedPaste()
  effects: ReaderEffect[] = []
  phase: Phase = { kind: 'reading' }
  now = 0
  /** When the phase must be evaluated again. */
  wakeAt: number | undefined
  line: OpenLine | undefined
  /** The prompt before the last line, and the last one after which output appeared. */
  lastPrompt = ''
  /** The text before the last line, prompt or not. */
  lastPrefix = ''
  shownPrompt = ''
  lastSent: number | undefined
  /** Unechoed input may still be buffered at the target; an Enter now could execute it. */
  unseenWait = false
  /** The start of a rejected line that could not be cleared: it must not be ended while the cursor is in it. */
  stuck: Place | undefined
  /** The terminal has written a Ctrl-E since the flag was reset. */
  echoed = false
  pastedLines = false
  closed = false
  private enterAt = 0
  /** The last line seemed to end by an interrupt. */
  private isInterrupted = false
  private readonly late: LateEchoes

  constructor(size: { cols: number; rows: number }, guarded: boolean) {
    this.guarded = guarded
    this.screen = new Screen(size.cols, size.rows)
    this.owner = new ScreenOwner(this.screen)
    this.earlier = new EarlierLine(this.screen)
    this.late = new LateEchoes(this.screen)
  }

  do(effect: ReaderEffect): void {
    this.effects.push(effect)
  }

  send(bytes: Buffer): void {
    this.lastSent = bytes.at(-1)
    this.turns.input(isOneKey(bytes) ? 1 : 2, this.now)
    this.do({ kind: 'send', bytes })
  }

  /** Processes output of the target. */
  output(chunk: Buffer): void {
    const { line, now } = this
    this.owner.output(chunk, () => line?.atPrompt || this.isAtPrompt())
    this.screen.feed(chunk)
    this.paste.output(chunk)
    if (chunk.includes('^E')) this.echoed = true
    this.capture.keep(chunk, now)
    const patience = Math.max(limits.enterEcho, this.turns.latency * limits.echoLatencies)
    if (chunk.includes(0x0a) && now - this.enterAt <= patience) this.record.confirm(!this.settings.hasJobs)
    for (const { command, output } of this.late.output(now)) this.completed(command, output, false)
    if (line) this.watch(line)
    this.turns.output(now)
  }

  /** The known prompt precedes the cursor, and not that of the line entered last: a shell is waiting. */
  isAtPrompt(): boolean {
    this.screen.flush()
    const prompt = this.lastPrompt.trimEnd()
    return prompt !== '' && this.turns.isEnterAnswered && this.screen.currentLine().whole.startsWith(prompt)
  }

  /** The program that reads the current input. A line begun at a shell belongs to it until it ends. */
  ownerNow(): Owner {
    const { line } = this
    const before = line?.place.prefix ?? this.screen.currentLine().beforeCursor
    if (!line) return this.owner.of(before, this.lastPrompt)
    if (line.owner === 'shell' && line.atPrompt) return 'shell'
    return this.owner.of(before, this.lastPrompt)
  }

  /** The cursor is still in a rejected line. */
  isStuck(): boolean {
    const isLeft = this.stuck !== undefined && !this.screen.isCursorIn(this.stuck)
    if (isLeft && (!this.settings.hasJobs || this.isAtPrompt())) this.stuck = undefined
    return this.stuck !== undefined
  }

  /**
   * Text between the prompt and the cursor is a line that a shell has put there: one found in its history, or left by a
   * key that did not end it. Before an answer it is the line entered last, a job may have written it, and of a line that
   * an interrupt has not ended the keys are known.
   */
  private mayBeBegun(): boolean {
    if (this.turns.isStarting(this.now) || this.settings.hasJobs || this.isInterrupted) return false
    const { beforeCursor } = this.screen.currentLine()
    const end = this.lastPrompt.trimEnd().slice(-1)
    return !asksSecret(beforeCursor) && !beforeCursor.slice(this.lastPrompt.length).trimEnd().endsWith(end)
  }

  beginLine(): void {
    if (this.line && this.line.owner !== 'shell' && this.ownerNow() === 'shell') {
      this.line.owner = 'shell'
      this.line.resumed = true
    }
    if (this.line) return
    const place = this.screen.mark(this.mayBeBegun() ? this.lastPrompt : '')
    const owner = this.owner.of(place.prefix, this.lastPrompt)
    this.capture.finish()
    const atPrompt = this.isAtPrompt()
    const ahead = this.turns.isStarting(this.now) && !atPrompt
    const early = !this.turns.isEnterAnswered
    this.line = { place, owner, atPrompt, early, resumed: false, ahead, disturbed: false, seen: new Set() }
    this.typed.reset()
    if ((this.screen.upToCursor(place) ?? '').trim() !== '') this.typed.doubt()
    this.record.begin()
  }

  /** Processes keys that edit the line, and sends them. */
  edit(bytes: Buffer): void {
    this.beginLine()
    this.typed.edit(bytes)
    this.record.keep(bytes)
    this.send(bytes)
  }

  /** Sends a key that makes the terminal discard the line, unless it was configured not to. */
  interrupt(bytes: Buffer): void {
    this.record.carry(bytes)
    this.isInterrupted = true
    this.enterAt = this.now
    this.send(bytes)
  }

  endLine(): void {
    if (this.line) this.earlier.remember(this.line.place, this.typed.text.trim())
    this.line = undefined
    this.typed.reset()
    this.pastedLines = false
  }

  view(line: OpenLine, key: Key): LineView {
    const { screen, typed, record, settings } = this
    return {
      screen,
      line,
      place: line.place,
      typed,
      keys: record.line,
      carried: record.decided,
      settings,
      endedBy: key.bytes[0] ?? 0,
      isMultiline: this.pastedLines,
      prompt: this.lastPrompt,
    }
  }

  /** Sends the key that ends a line. */
  forwardEnter(bytes: Buffer, command: RunningText | undefined, owner: Owner = 'shell'): void {
    this.entered(command, owner)
    this.isInterrupted = false
    if (owner === 'program') this.record.clear()
    else this.record.carry(bytes)
    this.enterAt = this.now
    this.send(bytes)
  }

  /** Records a line about to run, before or after it is sent. */
  entered(command: RunningText | undefined, owner: Owner = 'shell'): void {
    this.paste.distrust()
    const text = command?.text || command?.blind || ''
    this.owner.enter(text, owner, { prompt: this.lastPrefix, hasJobs: this.settings.hasJobs })
    this.continued.given(command?.text ?? '')
    this.recalled.given(text)
    if (command) {
      const running = { ...command, at: this.now }
      this.settings.learn(text)
      this.queue.endOfFile(this.settings.keys?.endOfFile ?? [])
      this.record.memory.entered(command.shown ?? text)
      this.capture.start(running)
      if (command.text !== '' || command.unread) this.do({ kind: 'begun', command: running })
    } else this.capture.finish()
    this.turns.enter()
  }

  /** With more input waiting, gives the target time to respond, so that the next line starts on its own row. */
  pace(): void {
    if (!this.queue.isEmpty && !this.turns.isEnterAnswered) this.pause(limits.pace)
  }

  /** Takes no key until the target writes output, or the time has elapsed. */
  pause(time: number): void {
    this.phase = { kind: 'pausing', until: this.now + time, heard: this.turns.heard }
  }

  /** Records a command whose echo has not arrived yet. */
  expectEcho(text: string, place: Place): void {
    this.late.expect(text, place)
  }

  /** The target wrote output while a line is open. */
  private watch(line: OpenLine): void {
    if (this.turns.isUnasked(this.now)) line.disturbed = true
    if (!this.settings.hasJobs || this.typed.certain || line.owner === 'program') return
    line.seen.add(this.screen.textFrom(line.place).trim().slice(0, 4096))
    for (const oldest of line.seen) if (line.seen.size > mostSeen) line.seen.delete(oldest)
  }

  /**
   * A command's output has ended. A command echoed late is known now; one never echoed was not a command, except at a
   * prompt.
   */
  private captured(command: RunningCommand, output: Buffer): void {
    if (command.text === '') {
      const echoed = this.late.take(command, output, this.now)
      if (echoed !== undefined) Object.assign(command, { text: echoed, unread: undefined })
      else if (command.blind) Object.assign(command, { text: command.blind, shown: '' })
      else if (!command.unread) return
    }
    this.completed(command, output, this.owner.isProven)
  }

  private completed(command: RunningCommand, output: Buffer, program: boolean): void {
    const text = plainText(output, this.lastPrompt)
    // A shell writes the line that it has taken from its history before it runs it.
    if (command.unread === 'recalled') command.shown ??= text.split('\n')[0] || undefined
    this.do({ kind: 'completed', command: { ...command, output: text, program } })
  }
}
