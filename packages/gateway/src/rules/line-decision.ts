import type { ReadCommand } from './continued-line.ts'
import type { Key } from './key-splitter.ts'
import { limits } from './limits.ts'
import { asksSecret, untypedText } from './line-reading.ts'
import type { OpenLine } from './open-line.ts'
import type { AfterClearing, Decision, Phase, ReaderEffect, Refused, RunningText, Unseen } from './reader-events.ts'
import type { ReaderState } from './reader-state.ts'

const ctrlC = Buffer.from([0x03])
const enter = Buffer.from([0x0d])
const abort = Buffer.from([0x07])
const ctrlX = 0x18
/** A line that was not run because it cannot be read is logged with the risk of a rejected one. */
const unreadRisk = 5
/** Prompts for secrets do not end like this. */
const shellPrompt = /[$#%] ?$/u
/** Ctrl-E and Ctrl-U: clears a line at any cursor position. */
export const killLine = Buffer.from([0x05, 0x15])

/**
 * Requests the decision on a line whose Enter is held. A line without any reading is sent.
 * @param unseen the line is not completely visible: even if not rejected, it is cleared
 */
export function decideOn(state: ReaderState, seen: ReadCommand, key: Key, unseen?: Unseen): void {
  const line = state.line as OpenLine
  const whole = state.earlier.goneOn(line.place)
  const command = state.continued.join(
    whole === '' ? seen : { ...seen, text: whole, readings: [...seen.readings, whole] },
  )
  const { prefix } = line.place
  state.lastPrefix = prefix
  const isPrompt = whole === '' && prefix.trim() !== '' && !asksSecret(prefix) && !line.ahead
  if (isPrompt && state.typed.text !== '') state.lastPrompt = prefix
  if (isPrompt && command.text !== '') state.shownPrompt = prefix
  const isRecalled = mayRunOthers(state, line, command)
  if (isRecalled && state.guarded) unseen ??= { kind: 'unseen', isAnswered: true, why: 'recalled', text: command.text }
  if (isRecalled) command.unread ??= 'recalled'
  if (command.readings.length === 0 && !command.possible?.some((reading) => reading !== '')) {
    if (unseen) clearLine(state, line, unseen)
    else passEmpty(state, key)
    return
  }
  state.phase = { kind: 'deciding', key, line, command, unseen }
  state.do({ kind: 'decide', command })
}

/** The shell may run other lines than this one: those of its history. */
function mayRunOthers(state: ReaderState, line: OpenLine, { text, readings }: ReadCommand): boolean {
  if (line.owner === 'program' || asksSecret(line.place.prefix)) return false
  // A password may contain the same characters.
  if (text === '' && !line.ahead && !line.early && !isAtShell(state, line)) return false
  return readings.some((reading) => state.recalled.mayRunOthers(reading))
}

/** A key that ends an empty line. Ctrl-D there ends a program's input, and does not act as Enter. */
function passEmpty(state: ReaderState, key: Key): void {
  state.endLine()
  state.forwardEnter(key.bytes, undefined)
  state.pace()
}

/**
 * Enter on a line without observed typing: its text was written by the shell (history verification, a prefill) or typed
 * ahead (`ahead`), in which case it is read even without a known prompt.
 */
export function decideUntyped(state: ReaderState, key: Key, ahead: string | undefined): void {
  const { whole, beforeCursor } = state.screen.currentLine()
  const owner = state.ownerNow()
  const isKnown = state.lastPrompt !== '' && whole.startsWith(state.lastPrompt.trimEnd())
  const isOurs = isKnown || ahead === undefined
  const text = isOurs ? untypedText(whole, state.lastPrompt) : ''
  const readings = [isOurs ? text : whole.trim()].filter((reading) => reading !== '')
  // Its first keys ended the program, the rest waits unechoed for the shell.
  if (readings.length === 0 && ahead) readings.push(...startsLeftOut(ahead))
  if (readings.length === 0) {
    if (state.lastPrompt === '' && beforeCursor.trim() !== '') state.lastPrompt = beforeCursor
    state.forwardEnter(key.bytes, undefined)
    state.pace()
    return
  }
  const place = state.screen.mark()
  state.line = {
    place,
    owner: 'shell',
    atPrompt: true,
    early: false,
    resumed: false,
    ahead: false,
    disturbed: false,
    seen: new Set(),
  }
  const possible = ahead === undefined ? [] : startsLeftOut(ahead)
  // Where a program may be full-screen, a row of its screen is not logged as a command, unless a prompt precedes it.
  decideOn(state, { text: owner === 'doubt' && !isKnown ? '' : text, readings, possible }, key)
}

/** Keys of which the first ones may have gone to a program that they ended. */
const startsLeftOut = (keys: string) => [0, 1, 2, 3].map((from) => keys.slice(from))

/** Executes the decision on a line. */
export function act(
  state: ReaderState,
  command: ReadCommand,
  decision: Decision,
  { line, key, unseen }: { line: OpenLine; key: Key; unseen?: Unseen | undefined },
): void {
  state.phase = { kind: 'reading' }
  if (!decision.run) {
    startRefusal(state, command, decision, line)
    return
  }
  if (decision.isReviewed) state.queue.drop()
  if (unseen) {
    clearLine(state, line, unseen)
    return
  }
  const typed = state.typed.text.trim()
  const unechoed = command.text === '' && typed !== '' && !asksSecret(line.place.prefix)
  const { text, shown } = command
  const blind = unechoed && isAtShell(state, line) ? typed : undefined
  const unread = blind === undefined ? command.unread : undefined
  const isNothing = text === '' && !unechoed && !unread
  const running = isNothing ? undefined : { text, shown, blind, unread, risk: decision.risk }
  if (key.kind === 'perhaps-enter' || key.kind === 'end-of-file') {
    tryKey(state, key, running, line)
    return
  }
  state.endLine()
  state.forwardEnter(key.bytes, running)
  if (unechoed) {
    state.expectEcho(typed, line.place)
    state.continued.given(typed)
  }
  state.pace()
}

/** A key that runs the line in one program and edits it in another, or does nothing: the screen shows which. */
function tryKey(state: ReaderState, key: Key, running: RunningText | undefined, line: OpenLine): void {
  state.typed.edit(key.bytes)
  state.record.keep(key.bytes)
  state.send(key.bytes)
  state.phase = { kind: 'trying', key, line, running, until: state.now + limits.perhapsEnter }
}

function startRefusal(state: ReaderState, command: ReadCommand, decision: Refused, line: OpenLine): void {
  state.capture.finish()
  state.queue.drop()
  const typed = state.typed.text.trim()
  const isUnshown = command.text === '' && typed !== '' && isAtShell(state, line)
  const shown = state.screen.currentLine().whole.trim()
  const told = isUnshown ? { ...command, text: typed, shown } : command
  clearLine(state, line, { kind: 'refused', command: told, decision })
}

/** A shell that shows nothing at its own prompt has its echo switched off: the input is a command, not a password. */
function isAtShell(state: ReaderState, line: OpenLine): boolean {
  const { prefix } = line.place
  if (asksSecret(prefix) || !state.typed.known) return false
  const isAtPrompt = state.isAtPrompt()
  // Whoever read when it was begun, a shell asks for it now.
  if (isAtPrompt && state.screen.currentLine().whole.trim() === state.lastPrompt.trim()) return true
  // Typed ahead, it may answer a question that has not been shown yet.
  if (line.early) return false
  const isShells = shellPrompt.test(prefix) || (prefix.trim() !== '' && prefix === state.shownPrompt)
  return isShells || (line.atPrompt && isAtPrompt)
}

/** Clears the line at the target; if it is not visibly empty it is aborted, so that no rest of it ever runs. */
export function clearLine(state: ReaderState, line: OpenLine, then: AfterClearing): void {
  // After Ctrl-X the next key would open the line in an editor, which runs it.
  if (state.lastSent === ctrlX) state.send(abort)
  state.echoed = false
  state.send(killLine)
  state.phase = { kind: 'clearing', line, until: state.now + limits.clear, isAborted: false, then }
  // A hidden line cannot be seen to be empty.
  const isShown = state.screen.textFrom(line.place, { upToGap: true }).trim() !== ''
  if (!isShown && state.typed.everything !== '' && then.kind === 'refused') breakOff(state, state.phase)
}

/** The line was not visibly cleared, so it is aborted. */
export function breakOff(state: ReaderState, phase: Phase & { kind: 'clearing' }): void {
  state.send(ctrlC)
  phase.isAborted = true
  phase.until = state.now + Math.max(limits.abort, state.turns.latency * limits.echoLatencies)
}

/** The line is empty, or cannot be cleared: tells the user why. */
export function cleared(state: ReaderState, line: OpenLine, then: AfterClearing): void {
  state.record.clear()
  if (then.kind === 'refused') say(state, { kind: 'notice', text: then.decision.notice }, line, then)
  else
    say(state, then.kind === 'unseen' && then.why ? { kind: 'unseen', why: then.why } : { kind: 'unseen' }, line, then)
}

/** A paste that would run forbidden lines is rejected completely. */
export function refusePaste(state: ReaderState, command: ReadCommand, decision: Refused): void {
  state.capture.finish()
  say(state, { kind: 'notice', text: decision.notice }, state.line, { kind: 'refused', command, decision })
}

/** The notice must be on the screen before the line is given up. */
function say(state: ReaderState, effect: ReaderEffect, line: OpenLine | undefined, then: AfterClearing): void {
  state.do(effect)
  state.phase = { kind: 'saying', line, then, heard: state.turns.heard, until: state.now + limits.notice }
}

/** Holds the end of a line that may still contain a rejected one. */
export function holdStuck(state: ReaderState): void {
  say(state, { kind: 'unseen' }, state.line, { kind: 'stuck' })
}

/** After the notice: makes the shell show its prompt again. */
export function said(state: ReaderState, line: OpenLine | undefined, then: AfterClearing): void {
  state.phase = { kind: 'reading' }
  if (then.kind === 'refused') {
    finishRefusal(state, then.command, then.decision)
    return
  }
  if (then.kind === 'stuck') {
    // The notice has moved the cursor, not the line.
    state.stuck = state.screen.mark()
    return
  }
  const { text, why = 'unseen' } = then
  state.do({ kind: 'completed', command: { text, unread: why, output: '', risk: unreadRisk, at: state.now } })
  // Input that a busy shell has not read yet was not removed with the line, and an Enter would run it.
  state.unseenWait = (line?.ahead === true || (state.echoed && !then.isAnswered)) && !state.isAtPrompt()
  state.endLine()
  if (!state.unseenWait) state.send(enter)
}

function finishRefusal(state: ReaderState, command: ReadCommand, decision: Refused): void {
  const { notice, risk, suspicion } = decision
  const isSuspected = command.text !== '' && suspicion !== undefined && suspicion !== command.text
  const text = isSuspected ? suspicion : command.text || (decision.matched ?? '')
  const shown = command.shown ?? (isSuspected ? command.text : undefined)
  state.do({ kind: 'completed', command: { text, shown, output: notice, risk, at: state.now } })
  state.endLine()
  state.queue.drop()
  // Of a rejected command in several lines none runs, not even the accepted lines. A line that could not be cleared
  // must not be ended either.
  if (state.stuck) state.stuck = state.screen.mark()
  else state.send(state.continued.isOpen ? ctrlC : enter)
  state.continued.given('')
  state.pause(limits.afterRefusal)
}
