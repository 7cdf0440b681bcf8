import { ContinuedLine } from './continued-line.ts'
import type { Key } from './key-splitter.ts'
import { limits } from './limits.ts'
import { breakOff, cleared, decideOn, decideUntyped, killLine, said } from './line-decision.ts'
import { asksSecret, isUnseen, readCommand, settledCommand, unreadText } from './line-reading.ts'
import type { OpenLine } from './open-line.ts'
import type { Phase } from './reader-events.ts'
import type { ReaderState } from './reader-state.ts'

type Of<Kind extends Phase['kind']> = Phase & { kind: Kind }

/**
 * Evaluates the phase after an event. False when the phase continues: then `wakeAt` says when it ends without an event.
 */
export function advance(state: ReaderState): boolean {
  const { phase } = state
  state.wakeAt = undefined
  switch (phase.kind) {
    case 'settling':
      return settle(state, phase)
    case 'resuming':
      return resume(state, phase)
    case 'awaiting-prompt':
      return awaitPrompt(state, phase)
    case 'probing':
      return probe(state, phase)
    case 'clearing':
      return clear(state, phase)
    case 'trying':
      return tryOut(state, phase)
    case 'saying':
      if (state.turns.heard === phase.heard && state.now < phase.until) return waitUntil(state, phase.until)
      said(state, phase.line, phase.then)
      return true
    case 'pausing':
      if (state.turns.heard === phase.heard && state.now < phase.until) return waitUntil(state, phase.until)
      return read(state)
    default:
      return false
  }
}

function waitUntil(state: ReaderState, time: number): false {
  state.wakeAt = Math.max(time, state.now + 1)
  return false
}

function read(state: ReaderState): true {
  state.phase = { kind: 'reading' }
  return true
}

function settle(state: ReaderState, { line, key, since }: Of<'settling'>): boolean {
  const { now, turns, typed } = state
  const command = settledCommand(state.view(line, key))
  if (command) {
    read(state)
    decideOn(state, command, key)
    return true
  }
  const { secret, known, unknown } = limits.settle
  const usual = Math.min(Math.max(turns.latency * limits.echoLatencies, known.least), known.most)
  const bound = asksSecret(line.place.prefix) ? secret : typed.certain ? usual : unknown
  const quiet = now - Math.max(turns.lastOutput, since - limits.calm)
  const wait = Math.max(
    (typed.certain ? limits.calmBeforeDiffering : limits.calm) - quiet,
    typed.certain ? 0 : turns.missing(now),
    waitsForPrompt(state, line) ? limits.promptPoll : 0,
  )
  if (!(turns.isAnswered && wait <= 0) && now - since < bound)
    return waitUntil(state, Math.min(now + (turns.isAnswered ? wait + 1 : limits.promptPoll), since + bound))
  settled(state, line, key)
  return true
}

/** The wait for the screen is over: decides on the readable text, and clears a line that cannot be read. */
function settled(state: ReaderState, line: OpenLine, key: Key): void {
  read(state)
  const isAnswered = state.turns.isAnswered && state.turns.missing(state.now) <= 0
  const view = state.view(line, key)
  if (state.guarded && (isUnseen(view, isAnswered) || waitsForPrompt(state, line))) {
    const text = state.typed.known ? state.typed.text.trim() : ''
    decideOn(state, { text, readings: [], possible: [text] }, key, {
      kind: 'unseen',
      isAnswered,
      text: unreadText(view),
    })
    return
  }
  const command = readCommand(view)
  const isElsewhere = line.place.prefix.trim() === '' && state.lastPrompt !== '' && !state.isAtPrompt()
  const isBlank = command.readings.length === 0 || isElsewhere
  if (state.guarded && !state.typed.certain && line.owner === 'shell' && isBlank) {
    state.echoed = false
    state.send(killLine)
    const { least, most } = limits.probe
    const time = Math.min(Math.max(state.turns.latency * limits.echoLatencies, least), most)
    state.phase = { kind: 'probing', key, line, command, until: state.now + time }
  } else decideOn(state, command, key)
}

/** A program that reads its keys shows no Ctrl-E; while none does, the terminal itself writes `^E`. */
function probe(state: ReaderState, { line, key, command, until }: Of<'probing'>): boolean {
  if (!state.echoed && !state.isAtPrompt() && state.now < until) return waitUntil(state, until)
  read(state)
  if (state.echoed) {
    state.do({ kind: 'unseen' })
    state.unseenWait = true
    state.endLine()
  } else if (state.line === line) decideOn(state, command, key)
  return true
}

/**
 * Keys that edit a shell's line were typed ahead: until its prompt precedes the cursor, the visible text is something
 * else, such as the output of the previous command.
 */
function waitsForPrompt(state: ReaderState, { ahead, place, owner }: OpenLine): boolean {
  return ahead && owner === 'shell' && !state.typed.certain && !asksSecret(place.prefix) && !state.isAtPrompt()
}

/** Waits for keys to take effect: a program that exits may leave the rest of them to the shell. */
function resume(state: ReaderState, { key, until }: Of<'resuming'>): boolean {
  const { turns, now } = state
  if (!turns.isQuiet(now) && now < until)
    return waitUntil(state, turns.isAnswered ? Math.min(now + limits.calm, until) : until)
  read(state)
  passForeign(state, key)
  return true
}

/** Enter to a full-screen program, unless it has exited in the meantime. */
export function passForeign(state: ReaderState, key: Key): void {
  state.screen.flush()
  const ahead = state.line ? state.typed.text : undefined
  state.endLine()
  if (state.ownerNow() !== 'program') {
    decideUntyped(state, key, ahead)
    return
  }
  state.forwardEnter(key.bytes, undefined, 'program')
  state.pace()
}

function awaitPrompt(state: ReaderState, phase: Of<'awaiting-prompt'>): boolean {
  const { now } = state
  const { until, key } = phase
  if (!phase.isThere && !state.isAtPrompt() && now < until)
    return waitUntil(state, Math.min(now + limits.promptPoll, until))
  phase.isThere = true
  if (!state.turns.isQuiet(now) && now < until) return waitUntil(state, Math.min(now + limits.calm, until))
  read(state)
  if (!state.isAtPrompt()) {
    state.do({ kind: 'unseen' })
    return true
  }
  state.unseenWait = false
  // Later input follows the result of those keys: the complete line counts.
  state.endLine()
  decideUntyped(state, key, undefined)
  return true
}

function clear(state: ReaderState, phase: Of<'clearing'>): boolean {
  const { line, until, then } = phase
  const isOver = state.now >= until
  if (phase.isAborted) {
    const isLeft = state.turns.isAnswered && !state.screen.isCursorIn(line.place)
    if (!isOver && !isLeft) return waitUntil(state, until)
    // None of our keys affects it.
    if (!isLeft && then.kind === 'refused') state.stuck = line.place
  } else if (state.screen.textFrom(line.place, { upToGap: true }).trim() !== '' || !state.turns.isAnswered) {
    if (!isOver) return waitUntil(state, until)
    breakOff(state, phase)
    return waitUntil(state, phase.until)
  }
  cleared(state, line, then)
  return true
}

function tryOut(state: ReaderState, { line, key, running, until }: Of<'trying'>): boolean {
  const { turns, now } = state
  if (!turns.isQuiet(now) && now < until) return waitUntil(state, Math.min(now + limits.calm, until))
  read(state)
  if (state.line !== line || !hasLeft(state, line, key)) return true
  state.endLine()
  state.entered(running)
  state.record.carry(Buffer.alloc(0))
  return true
}

/** Whether the line has ended after a key that may have ended it. */
function hasLeft(state: ReaderState, line: OpenLine, key: Key): boolean {
  if (!state.screen.isCursorIn(line.place)) return true
  // A shell that exits, or continues after Ctrl-D, leaves the cursor on the row, but not where the keys put it.
  const isCertain = key.kind === 'end-of-file' && state.typed.certain
  return isCertain && state.screen.upToCursor(line.place) !== state.typed.beforeCursor
}

/** The lines of a paste, each with the preceding lines of its command. */
export function pastedCommands(text: string): { text: string; readings: string[] }[] {
  const continued = new ContinuedLine()
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const command = continued.join({ text: line.trim(), readings: [line] })
    continued.given(command.text)
    return command
  })
}
