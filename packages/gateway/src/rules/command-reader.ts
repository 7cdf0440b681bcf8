import { BracketedPaste, pasteLimit } from './bracketed-paste.ts'
import { ContinuedLine, type ReadCommand } from './continued-line.ts'
import { EarlierLine } from './earlier-line.ts'
import { KeyQueue } from './key-queue.ts'
import { asksSecret, isUnseen, type LineView, readCommand, settledCommand, untypedText } from './line-reading.ts'
import type { OpenLine } from './open-line.ts'
import { OutputCapture, plainText, type RunningCommand } from './output-capture.ts'
import { PromptSigns } from './prompt-signs.ts'
import type { Decision, ReaderPorts } from './reader-ports.ts'
import { type Place, Screen } from './screen.ts'
import { Turns } from './turns.ts'
import { isOneKey, type Key, TypedLine } from './typed-line.ts'

const ctrlC = Buffer.from([0x03])
const enter = Buffer.from([0x0d])
const killLine = Buffer.from([0x05, 0x15])
/** Has the screen and shows shells on it. */
const multiplexer = /\b(?:tmux|screen|byobu|zellij)\b/
const promptEnd = /[$#%>❯➜»]\s*$/u
const ctrlX = 0x18
const abort = Buffer.from([0x07])

/**
 * Reads the commands of an interactive session from the terminal's own state and lets none reach the target before it
 * was decided on. Bytes of a line go to the target as they are typed; its Enter is held until the decision.
 */
export class CommandReader {
  readonly screen: Screen
  private readonly ports: ReaderPorts
  private readonly keys: KeyQueue
  private readonly turns = new Turns()
  private readonly typed = new TypedLine()
  private readonly continued = new ContinuedLine()
  private readonly capture: OutputCapture
  private readonly signs = new PromptSigns()
  private line: OpenLine | undefined
  private readonly earlier: EarlierLine
  private readonly paste = new BracketedPaste()
  private closed = false
  /** A command whose echo had not come when it was let go. */
  private late: { text: string; place: Place } | undefined
  private lastPrompt = ''
  private lastSent: number | undefined
  /** The last command that was run while no program had the screen. */
  private startedBy = ''
  /** Keys whose effect nobody has seen may wait at the target for its shell, which an Enter behind them would run. */
  private unseenWait = false
  /** The terminal wrote a Ctrl-E since it was set back. */
  private echoed = false
  private pastedLines = false

  constructor(size: { cols: number; rows: number }, ports: ReaderPorts) {
    this.screen = new Screen(size.cols, size.rows)
    this.earlier = new EarlierLine(this.screen)
    this.ports = ports
    this.keys = new KeyQueue({ take: (key) => this.handle(key), drained: () => ports.drained() })
    this.capture = new OutputCapture((command, output) => this.captured(command, output))
  }

  /** Takes what the person sent. False asks the caller to stop until `drained`. */
  input(chunk: Buffer): boolean {
    return this.keys.put(chunk)
  }

  /** Resolves when everything taken so far has gone on or was refused. */
  idle(): Promise<void> {
    return this.keys.idle()
  }

  /** Takes what the target sent, after it went to the person. */
  output(chunk: Buffer): void {
    if (this.closed) return
    this.screen.feed(chunk)
    this.paste.output(chunk)
    this.signs.output(chunk)
    if (chunk.includes('^E')) this.echoed = true
    this.capture.keep(chunk)
    this.turns.output()
  }

  resize(cols: number, rows: number): void {
    this.screen.resize(cols, rows)
  }

  /** Ends reading; the command still collecting output is handed over. */
  close(): void {
    if (this.closed) return
    this.closed = true
    this.keys.close()
    this.capture.finish()
    this.turns.wake()
    this.screen.dispose()
  }

  /** Handles one key; gives a promise only when something has to be waited for. */
  private handle(key: Key): Promise<void> | undefined {
    if (this.paste.isOpen) return this.handlePasted(key)
    switch (key.kind) {
      case 'edit':
        this.beginLine()
        this.typed.edit(key.bytes)
        this.send(key.bytes)
        return undefined
      case 'interrupt':
        // The terminal forgets with it what no program has read yet.
        this.unseenWait = false
        this.endLine()
        this.continued.given('')
        this.send(key.bytes)
        return undefined
      case 'paste-start':
        this.screen.flush()
        if (this.screen.bracketedPaste && this.paste.isTrusted) {
          this.paste.begin()
          return undefined
        }
        this.beginLine()
        this.send(key.bytes)
        return undefined
      case 'paste-end':
        this.send(key.bytes)
        return undefined
      case 'perhaps-enter':
        if (this.ports.guarded && !this.isForeign()) return this.handleEnter(key)
        this.beginLine()
        this.typed.edit(key.bytes)
        this.send(key.bytes)
        return undefined
      case 'enter':
        return this.handleEnter(key)
    }
  }

  private handlePasted(key: Key): Promise<void> | undefined {
    const pasted = this.paste.take(key)
    if (!pasted) return undefined
    const { text, bytes } = pasted
    const hasLines = text.includes('\n')
    const pass = () => {
      this.beginLine()
      if (this.line && !this.line.foreign) {
        this.typed.insert(text.slice(0, pasteLimit))
        if (hasLines) this.pastedLines = true
      }
      this.send(bytes)
    }
    if (hasLines && this.ports.guarded && !this.isForeign()) return this.decidePaste(text, pass)
    pass()
    return undefined
  }

  private async decidePaste(text: string, pass: () => void): Promise<void> {
    const continued = new ContinuedLine()
    for (const line of text.split('\n')) {
      if (line.trim() === '') continue
      const command = continued.join({ text: line.trim(), readings: [line] })
      const decision = await this.ports.decide(command)
      continued.given(command.text)
      if (decision.run) continue
      this.capture.finish()
      this.ports.completed({ text: command.text, output: decision.notice, risk: decision.risk, timestamp: Date.now() })
      this.ports.notice(decision.notice)
      this.keys.drop()
      this.send(enter)
      return
    }
    pass()
  }

  private handleEnter(key: Key): Promise<void> | undefined {
    this.screen.flush()
    if (this.line?.foreign || this.line?.resumed || this.isForeign()) {
      return this.ports.guarded && !this.turns.isQuiet ? this.decideForeign(key) : this.passForeign(key)
    }
    if (this.unseenWait) return this.decideUnseen(key)
    if (!this.line) return this.turns.isEnterAnswered ? this.decideUntyped(key, undefined) : this.decideForeign(key)
    const command = settledCommand(this.view(this.line))
    return command ? this.decideOn(command, key) : this.settleThenDecide(key)
  }

  /** Enter while keys nobody has seen may wait for the shell: it goes on only on a line that can be read by now. */
  private async decideUnseen(key: Key): Promise<void> {
    const until = performance.now() + 300
    while (!this.isAtPrompt() && performance.now() < until && !this.closed) await this.turns.next(50)
    while (!this.turns.isQuiet && performance.now() < until && !this.closed) await this.turns.next(25)
    if (this.closed) return
    if (!this.isAtPrompt()) return this.ports.notice(this.ports.unseenNotice())
    this.unseenWait = false
    // Whatever was typed since stands behind what those keys have made: all of the line counts.
    this.endLine()
    await this.decideUntyped(key, undefined)
  }

  /** The known prompt stands before the cursor, and not that of the line which was entered last: a shell waits. */
  private isAtPrompt(): boolean {
    this.screen.flush()
    const prompt = this.lastPrompt.trimEnd()
    return prompt !== '' && this.turns.isEnterAnswered && this.screen.currentLine().whole.startsWith(prompt)
  }

  /** Waits for what was typed to show its effect: a program that ends may hand the rest of it to the shell. */
  private async decideForeign(key: Key): Promise<void> {
    const until = performance.now() + (this.line ? 2000 : 100)
    while (!this.turns.isQuiet && performance.now() < until && !this.closed) {
      await this.turns.next(this.turns.isAnswered ? 25 : until - performance.now())
    }
    if (!this.closed) await this.passForeign(key)
  }

  private passForeign(key: Key): Promise<void> | undefined {
    this.screen.flush()
    const ahead = this.line ? this.typed.text : undefined
    this.endLine()
    if (!this.isForeign()) return this.decideUntyped(key, ahead)
    this.forwardEnter(key.bytes, undefined)
    return this.pace()
  }

  /**
   * Enter on a line nobody was seen typing: what stands on it was put there by the shell (history verification, a
   * prefill) or typed ahead of it (`ahead`), and then it is read even without a known prompt before it.
   */
  private decideUntyped(key: Key, ahead: string | undefined): Promise<void> | undefined {
    const { whole, beforeCursor } = this.screen.currentLine()
    const isKnown = this.lastPrompt !== '' && whole.startsWith(this.lastPrompt.trimEnd())
    const isOurs = isKnown || ahead === undefined
    const text = isOurs ? untypedText(whole, this.lastPrompt) : ''
    const readings = [isOurs ? text : whole.trim()].filter((reading) => reading !== '')
    // Its first keys ended the program, the rest waits unseen for the shell.
    if (readings.length === 0 && ahead) readings.push(...[0, 1, 2, 3].map((from) => ahead.slice(from)))
    if (readings.length === 0) {
      if (this.lastPrompt === '' && beforeCursor.trim() !== '') this.lastPrompt = beforeCursor
      this.forwardEnter(key.bytes, undefined)
      return this.pace()
    }
    this.line = { place: this.screen.mark(), foreign: false, resumed: false, byHand: false, ahead: false }
    return this.decideOn({ text, readings }, key)
  }

  private async settleThenDecide(key: Key): Promise<void> {
    const line = this.line as OpenLine
    const asked = performance.now()
    const secret = asksSecret(line.place.prefix)
    const bound = secret ? 60 : this.typed.certain ? Math.min(Math.max(this.turns.latency * 4, 250), 1500) : 2000
    for (;;) {
      const now = performance.now()
      const command = settledCommand(this.view(line))
      if (command) return this.decideOn(command, key)
      const calm = this.typed.certain ? 60 : 25
      const quiet = now - Math.max(this.turns.lastOutput, asked - 25)
      const wait = Math.max(
        calm - quiet,
        this.typed.certain ? 0 : this.turns.missing,
        this.waitsForPrompt(line) ? 50 : 0,
      )
      if (this.turns.isAnswered && wait <= 0) break
      if (now - asked >= bound || this.closed) break
      await this.turns.next(Math.min(this.turns.isAnswered ? wait + 1 : 50, bound))
    }
    if (this.closed) return
    const isAnswered = this.turns.isAnswered && this.turns.missing <= 0
    if (this.ports.guarded && (isUnseen(this.view(line), isAnswered) || this.waitsForPrompt(line))) {
      await this.clearLine(line)
      this.ports.notice(this.ports.unseenNotice())
      // What a busy shell has not read yet was not taken out with the line, and an Enter would run it.
      this.unseenWait = (line.ahead || (this.echoed && !isAnswered)) && !this.isAtPrompt()
      this.endLine()
      if (!this.unseenWait) this.send(enter)
      return
    }
    const command = readCommand(this.view(line))
    const isElsewhere = line.place.prefix.trim() === '' && this.lastPrompt !== '' && !this.isAtPrompt()
    if (this.ports.guarded && !this.typed.certain && (command.readings.length === 0 || isElsewhere)) {
      if (await this.isEchoedByTerminal()) {
        this.ports.notice(this.ports.unseenNotice())
        this.unseenWait = true
        return this.endLine()
      }
      if (this.closed || this.line !== line) return
    }
    await this.decideOn(command, key)
  }

  /** Empties the line. A program that reads its keys shows no Ctrl-E; while none does, the terminal itself writes `^E`. */
  private async isEchoedByTerminal(): Promise<boolean> {
    this.echoed = false
    this.send(killLine)
    const until = performance.now() + Math.min(Math.max(this.turns.latency * 4, 100), 500)
    while (!this.echoed && !this.isAtPrompt() && performance.now() < until && !this.closed)
      await this.turns.next(until - performance.now())
    return this.echoed
  }

  /**
   * Keys that edit what a shell holds were typed ahead of it: until its prompt stands before the cursor, what is seen is
   * something else, such as the output of the command before.
   */
  private waitsForPrompt({ ahead, place }: OpenLine): boolean {
    return ahead && !this.typed.certain && !asksSecret(place.prefix) && !this.isAtPrompt()
  }

  private view({ place }: OpenLine): LineView {
    return { screen: this.screen, place, typed: this.typed, isMultiline: this.pastedLines, prompt: this.lastPrompt }
  }

  private decideOn(seen: ReadCommand, key: Key): Promise<void> | undefined {
    const line = this.line as OpenLine
    const whole = this.earlier.goneOn(line.place)
    const command = this.continued.join(whole === '' ? seen : { text: whole, readings: [...seen.readings, whole] })
    const { prefix } = line.place
    const isPrompt = whole === '' && prefix.trim() !== '' && !asksSecret(prefix) && !line.ahead
    if (isPrompt && this.typed.text !== '') this.lastPrompt = prefix
    if (command.readings.length === 0) {
      this.endLine()
      this.forwardEnter(key.bytes, undefined)
      return this.pace()
    }
    const decision = this.ports.decide(command)
    if (decision instanceof Promise) return decision.then((made) => this.act(command, made, line, key))
    return this.act(command, decision, line, key)
  }

  private act(command: ReadCommand, decision: Decision, line: OpenLine, key: Key): Promise<void> | undefined {
    if (this.closed) return undefined
    if (!decision.run) return this.refuse(command, decision, line)
    const typed = this.typed.text.trim()
    const unechoed = command.text === '' && typed !== '' && !asksSecret(line.place.prefix)
    const running = command.text === '' && !unechoed ? undefined : { ...command, risk: decision.risk }
    if (key.kind === 'perhaps-enter') return this.tryEnter(key, running, line)
    this.endLine()
    this.forwardEnter(key.bytes, running)
    if (unechoed) this.late = { text: typed, place: line.place }
    return this.pace()
  }

  /** A key that runs the line in one program and edits it in another, or does nothing: the screen shows which it was. */
  private async tryEnter(key: Key, running: { text: string; risk: number } | undefined, line: OpenLine): Promise<void> {
    this.typed.edit(key.bytes)
    this.send(key.bytes)
    const until = performance.now() + 300
    while (!this.turns.isQuiet && performance.now() < until && !this.closed) await this.turns.next(30)
    if (this.closed || this.line !== line || this.screen.isCursorIn(line.place)) return
    this.endLine()
    this.entered(running)
  }

  private async refuse(command: ReadCommand, decision: Decision & { run: false }, line: OpenLine): Promise<void> {
    this.capture.finish()
    this.keys.drop()
    await this.clearLine(line)
    if (this.closed) return
    this.ports.notice(decision.notice)
    this.ports.completed({
      text: command.text || (decision.matched ?? ''),
      output: decision.notice,
      risk: decision.risk,
      timestamp: Date.now(),
    })
    this.endLine()
    // Of a command in several lines none runs, not even those that were let through.
    this.send(this.continued.isOpen ? ctrlC : enter)
    this.continued.given('')
    await this.turns.next(200)
  }

  /** Empties the line at the target; what cannot be seen to be empty is aborted, so that no rest of it ever runs. */
  private async clearLine(line: OpenLine): Promise<void> {
    // Behind Ctrl-X the next key would open the line in an editor, which runs it.
    if (this.lastSent === ctrlX) this.send(abort)
    this.echoed = false
    this.send(killLine)
    const until = performance.now() + 500
    while (performance.now() < until && !this.closed) {
      await this.turns.next(until - performance.now())
      if (this.screen.textFrom(line.place, { upToGap: true }).trim() === '' && this.turns.isAnswered) return
    }
    this.send(ctrlC)
    await this.turns.next(200)
  }

  private forwardEnter(bytes: Buffer, command: { text: string; risk: number } | undefined): void {
    this.entered(command)
    this.send(bytes)
  }

  /** Keeps what goes on to be run, before or after it does. */
  private entered(command: { text: string; risk: number } | undefined): void {
    this.paste.distrust()
    this.signs.enter()
    if (!this.screen.isFullScreen) this.startedBy = command?.text ?? ''
    this.continued.given(command?.text ?? '')
    if (command) {
      const running = { text: command.text, risk: command.risk, timestamp: Date.now() }
      this.capture.start(running)
      if (command.text !== '') this.ports.begun(running)
    } else this.capture.finish()
    this.turns.enter()
  }

  /** With more input waiting, gives the target a moment to answer, so that the next line starts on its own row. */
  private pace(): Promise<void> | undefined {
    return !this.keys.isEmpty && !this.turns.isEnterAnswered ? this.turns.next(100) : undefined
  }

  private beginLine(): void {
    if (this.line?.foreign && !this.isForeign()) {
      this.line.foreign = false
      this.line.resumed = true
    }
    if (this.line) return
    this.capture.finish()
    const place = this.screen.mark()
    const byHand = this.screen.isFullScreen && this.signs.isShown
    const ahead = this.turns.isStarting && !this.isAtPrompt()
    this.line = { place, foreign: !byHand && this.isForeign(place.prefix), resumed: false, byHand, ahead }
    this.typed.reset()
  }

  private endLine(): void {
    if (this.line) this.earlier.remember(this.line.place, this.typed.text.trim())
    this.line = undefined
    this.typed.reset()
    this.pastedLines = false
  }

  /**
   * True when a full-screen program has the screen. One exception: behind the prompt known from before (a multiplexer,
   * or somebody who switched the screen to hide) the line is a command all the same.
   */
  private isForeign(prefix?: string): boolean {
    this.screen.flush()
    if (!this.screen.isFullScreen || this.line?.byHand || (!this.line && this.signs.isShown)) return false
    const before =
      (prefix ?? this.line?.place.prefix ?? this.screen.currentLine().beforeCursor).split(/[│|]/u).at(-1) ?? ''
    if (multiplexer.test(this.startedBy) && promptEnd.test(before)) return false
    const known = this.lastPrompt.trim()
    if (known === '' || before.trim() === '') return true
    return !(before.trimStart().startsWith(known.slice(0, 3)) && before.trimEnd().endsWith(known.slice(-1)))
  }

  private send(bytes: Buffer): void {
    this.lastSent = bytes.at(-1)
    this.turns.input(isOneKey(bytes) ? 1 : 2)
    this.ports.toTarget(bytes)
  }

  /** A command's output is over. One that was echoed late is known now; one never echoed was none. */
  private captured(command: RunningCommand, output: Buffer): void {
    const { late } = this
    if (late && command.text === '') {
      const shown = this.closed ? '' : this.screen.textFrom(late.place, { upToGap: true })
      if (shown.includes(late.text)) command.text = late.text
      late.place.dispose()
      this.late = undefined
    }
    if (command.text !== '') this.ports.completed({ ...command, output: plainText(output, this.lastPrompt) })
  }
}
