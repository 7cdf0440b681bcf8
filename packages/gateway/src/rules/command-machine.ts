import { pasteLimit } from './bracketed-paste.ts'
import type { Key } from './key-splitter.ts'
import { limits } from './limits.ts'
import { act, decideOn, decideUntyped, holdStuck, refusePaste } from './line-decision.ts'
import { settledCommand } from './line-reading.ts'
import type { Decision, Phase, ReaderEffect, ReaderEvent } from './reader-events.ts'
import { advance, passForeign, pastedCommands } from './reader-phases.ts'
import { ReaderState } from './reader-state.ts'

/**
 * Reads the commands of a session as a state machine: timed events in, effects out. It has no clock and no timers, so
 * that the same events always give the same effects: a recorded session can be replayed.
 */
export class CommandMachine {
  private readonly state: ReaderState

  constructor(size: { cols: number; rows: number }, guarded: boolean) {
    this.state = new ReaderState(size, guarded)
  }

  get screen() {
    return this.state.screen
  }

  /** Rules apply from now on, as somebody with rules may type: from then on an invisible line must not pass. */
  guard(): void {
    this.state.guarded = true
  }

  /** False asks to send no more keys until the effect `drained`. */
  get hasRoom(): boolean {
    return this.state.queue.hasRoom
  }

  /** All keys so far were sent or rejected. */
  get isIdle(): boolean {
    const { phase, queue, closed } = this.state
    return closed || (phase.kind === 'reading' && queue.isEmpty && queue.deadline === undefined)
  }

  /** When a `time` event is due, unless another event happens before. */
  get wakeAt(): number | undefined {
    const { wakeAt, queue, capture, closed } = this.state
    const times = [wakeAt, queue.deadline, capture.deadline].filter((time) => time !== undefined)
    return closed || times.length === 0 ? undefined : Math.min(...times)
  }

  step(event: ReaderEvent): ReaderEffect[] {
    const { state } = this
    state.effects = []
    if (state.closed) return []
    state.now = event.at
    this.take(event)
    state.queue.expire(event.at, this.isBusy)
    state.capture.expire(event.at)
    this.progress()
    return state.effects
  }

  private get isBusy(): boolean {
    return this.state.phase.kind !== 'reading'
  }

  private take(event: ReaderEvent): void {
    const { state } = this
    switch (event.kind) {
      case 'keys':
        state.queue.put(event.bytes, event.at, this.isBusy)
        return
      case 'output':
        state.output(event.bytes)
        return
      case 'resize':
        state.turns.resized(event.at)
        state.screen.resize(event.cols, event.rows)
        return
      case 'decided':
        decided(state, event.decision)
        return
      case 'close':
        state.capture.finish()
        state.closed = true
        state.screen.dispose()
        return
      case 'time':
    }
  }

  /** Continues until it must wait. */
  private progress(): void {
    const { state } = this
    while (!state.closed) {
      if (this.isBusy) {
        if (!advance(state)) return
        continue
      }
      state.wakeAt = undefined
      if (state.queue.takeDrained()) state.do({ kind: 'drained' })
      const key = state.queue.next()
      if (!key) return
      takeKey(state, key)
    }
  }
}

function takeKey(state: ReaderState, key: Key): void {
  if (state.paste.isOpen) {
    takePasted(state, key)
    return
  }
  switch (key.kind) {
    case 'edit':
      state.edit(key.bytes)
      return
    case 'interrupt':
      // With the line the terminal discards input that no program has read yet.
      state.unseenWait = false
      state.endLine()
      state.continued.given('')
      state.recalled.forget()
      state.interrupt(key.bytes)
      return
    case 'paste-start':
      state.screen.flush()
      if (state.screen.bracketedPaste && state.paste.isTrusted) state.paste.begin()
      else state.edit(key.bytes)
      return
    case 'paste-end':
      state.send(key.bytes)
      return
    case 'end-of-file':
      takeEndOfFile(state, key)
      return
    case 'perhaps-enter':
      if (state.guarded && state.ownerNow() !== 'program') takeEnter(state, key)
      else state.edit(key.bytes)
      return
    case 'enter':
      takeEnter(state, key)
  }
}

/** Ctrl-D passes the terminal's line to its program; on an empty line it ends the program's input. */
function takeEndOfFile(state: ReaderState, key: Key): void {
  const { line, typed, record } = state
  const isEmpty = !line || (typed.certain && typed.everything === '' && record.line.bytes.length === 0)
  if (state.ownerNow() === 'program') state.edit(key.bytes)
  else if (isEmpty && record.line.carried.length === 0 && !state.isStuck()) {
    state.endLine()
    state.send(key.bytes)
  } else {
    // Keys before it may also follow an empty line.
    state.beginLine()
    takeEnter(state, key)
  }
}

function takePasted(state: ReaderState, key: Key): void {
  const pasted = state.paste.take(key)
  if (!pasted) return
  const { text, bytes } = pasted
  const lines = text.includes('\n') && state.guarded && state.ownerNow() !== 'program' ? pastedCommands(text) : []
  if (lines.length === 0) {
    passPaste(state, text, bytes)
    return
  }
  state.phase = { kind: 'deciding-paste', lines, at: 0, text, bytes }
  state.do({ kind: 'decide', command: lines[0] as (typeof lines)[number] })
}

function passPaste(state: ReaderState, text: string, bytes: Buffer): void {
  state.beginLine()
  if (state.line && state.line.owner !== 'program') {
    state.typed.insert(text.slice(0, pasteLimit))
    state.record.keep(Buffer.from(text.slice(0, pasteLimit)))
    if (text.includes('\n')) state.pastedLines = true
  }
  state.send(bytes)
}

function takeEnter(state: ReaderState, key: Key): void {
  const { line, turns } = state
  state.screen.flush()
  if (state.isStuck()) holdStuck(state)
  else if (line?.owner === 'program' || line?.resumed || state.ownerNow() === 'program') {
    if (state.guarded && !turns.isQuiet(state.now)) {
      const { withLine, without } = limits.foreign
      state.phase = { kind: 'resuming', key, until: state.now + (line ? withLine : without) }
    } else passForeign(state, key)
  } else if (state.unseenWait) {
    state.phase = { kind: 'awaiting-prompt', key, until: state.now + limits.unseen, isThere: false }
  } else if (line) {
    const command = settledCommand(state.view(line, key))
    if (command) decideOn(state, command, key)
    else state.phase = { kind: 'settling', key, line, since: state.now }
  } else if (turns.isEnterAnswered) decideUntyped(state, key, undefined)
  else state.phase = { kind: 'resuming', key, until: state.now + limits.foreign.without }
}

/** A requested decision has arrived. */
function decided(state: ReaderState, decision: Decision): void {
  const { phase } = state
  if (phase.kind === 'deciding') act(state, phase.command, decision, phase)
  else if (phase.kind === 'deciding-paste') decidedPaste(state, phase, decision)
}

function decidedPaste(state: ReaderState, phase: Phase & { kind: 'deciding-paste' }, decision: Decision): void {
  const { lines, at, text, bytes } = phase
  const [line, next] = [lines[at], lines[at + 1]]
  if (!decision.run && line) {
    refusePaste(state, line, decision)
  } else if (next) {
    state.phase = { ...phase, at: at + 1 }
    state.do({ kind: 'decide', command: next })
  } else {
    state.phase = { kind: 'reading' }
    passPaste(state, text, bytes)
  }
}
