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
/** Nothing that asks for a secret ends like this. */
const shellPrompt = /[$#%] ?$/u
/** Ctrl-E and Ctrl-U: empties a line wherever the cursor stands in it. */
export const killLine = Buffer.from([0x05, 0x15])

/**
 * Asks for the decision on a line whose Enter is held. A line without any reading goes on.
 * @param unseen nobody sees all of what the line holds: not refused, it is emptied all the same
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
  if (command.readings.length === 0 && !command.possible?.some((reading) => reading !== '')) {
    if (unseen) clearLine(state, line, unseen)
    else passEmpty(state, key)
    return
  }
  state.phase = { kind: 'deciding', key, line, command, unseen }
  state.do({ kind: 'decide', command })
}

/** A key that ends an empty line. Ctrl-D there ends a program's input, and is no Enter. */
function passEmpty(state: ReaderState, key: Key): void {
  state.endLine()
  state.forwardEnter(key.bytes, undefined)
  state.pace()
}

/**
 * Enter on a line nobody was seen typing: what stands on it was put there by the shell (history verification, a
 * prefill) or typed ahead of it (`ahead`), and then it is read even without a known prompt before it.
 */
export function decideUntyped(state: ReaderState, key: Key, ahead: string | undefined): void {
  const { whole, beforeCursor } = state.screen.currentLine()
  const owner = state.ownerNow()
  const isKnown = state.lastPrompt !== '' && whole.startsWith(state.lastPrompt.trimEnd())
  const isOurs = isKnown || ahead === undefined
  const text = isOurs ? untypedText(whole, state.lastPrompt) : ''
  const readings = [isOurs ? text : whole.trim()].filter((reading) => reading !== '')
  // Its first keys ended the program, the rest waits unseen for the shell.
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
  // Where a program may have the screen, a row of its picture is no command to be listed, unless a prompt is before it.
  decideOn(state, { text: owner === 'doubt' && !isKnown ? '' : text, readings, possible }, key)
}

/** Keys of which the first may have gone to a program that they ended. */
const startsLeftOut = (keys: string) => [0, 1, 2, 3].map((from) => keys.slice(from))

/** Goes on with a line that was decided on. */
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
  if (unseen) {
    clearLine(state, line, unseen)
    return
  }
  const typed = state.typed.text.trim()
  const unechoed = command.text === '' && typed !== '' && !asksSecret(line.place.prefix)
  const { text, shown } = command
  const blind = unechoed && isAtShell(state, line) ? typed : undefined
  const running = text === '' && !unechoed ? undefined : { text, shown, blind, risk: decision.risk }
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

/** A key that runs the line in one program and edits it in another, or does nothing: the screen shows which it was. */
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

/** A shell that shows nothing at its own prompt was told not to: what is typed there is a command, not a password. */
function isAtShell(state: ReaderState, line: OpenLine): boolean {
  const { prefix } = line.place
  // Typed ahead, it may be for a question that has not been put yet.
  if (asksSecret(prefix) || !state.typed.known || line.early) return false
  const isShells = shellPrompt.test(prefix) || (prefix.trim() !== '' && prefix === state.shownPrompt)
  return isShells || (line.atPrompt && state.isAtPrompt())
}

/** Empties the line at the target; what cannot be seen to be empty is aborted, so that no rest of it ever runs. */
export function clearLine(state: ReaderState, line: OpenLine, then: AfterClearing): void {
  // Behind Ctrl-X the next key would open the line in an editor, which runs it.
  if (state.lastSent === ctrlX) state.send(abort)
  state.echoed = false
  state.send(killLine)
  state.phase = { kind: 'clearing', line, until: state.now + limits.clear, isAborted: false, then }
  // Of a line that does not show, nobody sees that it is empty.
  const isShown = state.screen.textFrom(line.place, { upToGap: true }).trim() !== ''
  if (!isShown && state.typed.everything !== '' && then.kind === 'refused') breakOff(state, state.phase)
}

/** Nobody could see that the line was emptied: it is broken off. */
export function breakOff(state: ReaderState, phase: Phase & { kind: 'clearing' }): void {
  state.send(ctrlC)
  phase.isAborted = true
  phase.until = state.now + Math.max(limits.abort, state.turns.latency * limits.echoLatencies)
}

/** The line is empty, or nothing empties it: says why it was to be. */
export function cleared(state: ReaderState, line: OpenLine, then: AfterClearing): void {
  state.record.clear()
  if (then.kind === 'refused') say(state, { kind: 'notice', text: then.decision.notice }, line, then)
  else say(state, { kind: 'unseen' }, line, then)
}

/** A paste that would run lines is refused whole. */
export function refusePaste(state: ReaderState, command: ReadCommand, decision: Refused): void {
  state.capture.finish()
  say(state, { kind: 'notice', text: decision.notice }, state.line, { kind: 'refused', command, decision })
}

/** What is said is part of the picture before the line is given up. */
function say(state: ReaderState, effect: ReaderEffect, line: OpenLine | undefined, then: AfterClearing): void {
  state.do(effect)
  state.phase = { kind: 'saying', line, then, heard: state.turns.heard, until: state.now + limits.notice }
}

/** Holds the end of a line on which a refused one may stand still. */
export function holdStuck(state: ReaderState): void {
  say(state, { kind: 'unseen' }, state.line, { kind: 'stuck' })
}

/** It was said: gives a shell its prompt again. */
export function said(state: ReaderState, line: OpenLine | undefined, then: AfterClearing): void {
  state.phase = { kind: 'reading' }
  if (then.kind === 'refused') {
    finishRefusal(state, then.command, then.decision)
    return
  }
  if (then.kind === 'stuck') {
    // What was said has moved the cursor, not the line.
    state.stuck = state.screen.mark()
    return
  }
  // What a busy shell has not read yet was not taken out with the line, and an Enter would run it.
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
  // Of a command in several lines none runs, not even those that were let through. What could not be emptied must not
  // be ended either.
  if (state.stuck) state.stuck = state.screen.mark()
  else state.send(state.continued.isOpen ? ctrlC : enter)
  state.continued.given('')
  state.pause(limits.afterRefusal)
}
