import type { Suspicions } from '@castellan/contract/command-rules/command-filter'
import type { ReadCommand } from './continued-line.ts'
import { expandHistory } from './history-expansion.ts'
import { isOverlong, keyReadings, type LineKeys } from './key-readings.ts'
import type { OpenLine } from './open-line.ts'
import type { Place, Screen } from './screen.ts'
import { foundLines } from './search-prompts.ts'
import type { TtySettings } from './tty-settings.ts'
import type { TypedLine } from './typed-line.ts'

/** All data about a line that is about to be entered. */
export interface LineView {
  screen: Screen
  line: OpenLine
  /** Its start. */
  place: Place
  typed: TypedLine
  keys: LineKeys
  /** Lines decided on before that may be on this one again. */
  carried: string[]
  settings: TtySettings
  /** The key that ends it. */
  endedBy: number
  /** It contains pasted line ends. */
  isMultiline: boolean
  /** The prompt before the last line; empty while unknown. */
  prompt: string
}

const secretPrompt =
  /(?:password|passphrase|passcode|secret|pin|otp|verification code|密码|口令|验证码|パスワード|暗証番号)[^\n]*[::]\s*$/iu

/** A prompt for a secret, which must not be logged. */
export const asksSecret = (prompt: string): boolean => secretPrompt.test(prompt)

/** The text of a line after its prompt; the complete line without a known prompt. */
function behindPrompt(line: string, prompts: readonly string[]): string {
  const prompt = prompts.map((one) => one.trimEnd()).find((one) => one !== '' && line.startsWith(one))
  return line.slice(prompt?.length ?? 0).trim()
}

/** The same for a line without observed typing: a prompt that contains the time is recognized by its end. */
export function untypedText(line: string, prompt: string): string {
  if (prompt === '') return ''
  const known = behindPrompt(line, [prompt])
  const end = `${prompt.trimEnd().slice(-1)}${/\s*$/u.exec(prompt)?.[0] ?? ''}`
  const at = `${line} `.indexOf(end)
  return line.startsWith(prompt.trimEnd()) || at === -1 ? known : line.slice(at + end.length).trim()
}

/** A line begun before its prompt, of which nothing is echoed yet: since its start only the prompt has appeared. */
function isPromptAlone({ screen, place, prompt }: LineView): boolean {
  const known = prompt.trim()
  const isAlone = known !== '' && screen.textFrom(place, { upToGap: true }).trim() === known
  return isAlone && screen.currentLine().whole.trim() === known
}

/** The command when screen and typing already agree; the usual case, without any waiting. */
export function settledCommand(view: LineView): ReadCommand | undefined {
  const { screen, place, typed, isMultiline, prompt } = view
  if (!typed.certain || isMultiline) return undefined
  const text = typed.text.trim()
  const shown = screen.textFrom(place, { upToGap: true }).trim()
  if (text === '' && shown === '') return { text: '', readings: [], ...suspicions(view, true) }
  if (text === '') return undefined
  // Exactly: a program without these keys shows them, and retains the text they seem to have removed.
  const isShown = screen.upToCursor(place) === typed.beforeCursor && shown.startsWith(text)
  if (!isShown && !isBelow(screen, typed, prompt)) return undefined
  return { text, readings: [text], ...suspicions(view, true) }
}

/** Only the user's keys have produced the line on the screen. */
const isAlone = ({ line, settings }: LineView) => !line.disturbed && !settings.hasJobs

/**
 * Other possible readings of the keys.
 * @param isShown the screen shows their usual effect
 */
function suspicions(view: LineView, isShown: boolean, more: string[] = []): Suspicions {
  const circumstances = {
    endedBy: view.endedBy,
    isConfirmed: isShown && isAlone(view),
    keys: view.settings.keys,
  }
  const readings = [...keyReadings(view.keys, circumstances), ...view.line.seen, ...more, ...wholeLine(view)]
  const expanded = readings.map((reading) => expandHistory(reading, view.keys.memory.history))
  return {
    possible: [...readings, ...expanded.filter((text) => text !== undefined)],
    decided: view.carried,
    // A program that draws anywhere may be used for long without an Enter.
    isTooLong: view.line.owner !== 'doubt' && isOverlong(view.keys),
  }
}

/** The line from its prompt on, where it had begun before its first key. */
function wholeLine({ screen, place, prompt }: LineView): string[] {
  const isBegun = prompt.trim() !== '' && place.prefix !== prompt && place.prefix.startsWith(prompt)
  return isBegun ? [behindPrompt(screen.currentLine().whole, [prompt])] : []
}

/** A line typed ahead is echoed after a prompt below its start. */
function isBelow(screen: Screen, typed: TypedLine, prompt: string): boolean {
  const { whole, beforeCursor } = screen.currentLine()
  const start = prompt.trimEnd()
  if (start === '' || !beforeCursor.startsWith(start) || !beforeCursor.endsWith(typed.beforeCursor)) return false
  const rest = beforeCursor.slice(start.length)
  return rest.trim() === typed.beforeCursor.trim() && whole.slice(start.length).trim().startsWith(typed.text.trim())
}

/** Combines screen and typing to the command, with all its readings. */
export function readCommand(view: LineView): ReadCommand {
  const { screen, place, typed, isMultiline } = view
  const found = searchedLines(view)
  if (found) {
    const readings = found.filter((line) => line !== '')
    return { text: found[0] ?? '', readings, ...suspicions(view, false) }
  }
  const text = typed.text.trim()
  const shown = screen.textFrom(place, { upToGap: !isMultiline, multiline: isMultiline }).trim()
  const current = currentText(view)
  const readings = typed.certain ? [text, shown] : [shown, current]
  const more = [text, current, ...(typed.certain ? [] : wholes(view))]
  // If none or only a part of it is visible, all typed text counts.
  if (shown === '' || screen.isMoved(place)) more.push(typed.everything.trim())
  const isShown = [shown, current, ...more.slice(2)].some((seen) => seen.includes(text))
  const known = { readings: readings.filter((reading) => reading !== ''), ...suspicions(view, isShown, more) }
  const isMasked = shown !== '' && /^[*•●]+$/u.test(shown)
  // A password may have been typed ahead of its prompt.
  const isSecret = !shown.includes(text) && asksSecret(`${place.prefix}${shown} `)
  if (isMasked || isSecret || (typed.certain && isPromptAlone(view))) return { text: '', ...known }
  const isTold = typed.certain || (typed.known && !isAlone(view))
  if (shown !== '' && text !== '' && !isShown && isTold && !isMultiline)
    return { text, shown: screen.isCursorIn(place) || current === '' ? shown : current, ...known }
  const read = { text: logged(view, text, shown, current), ...known }
  const isHidden = read.text === '' && !typed.certain && typed.everything.trim() !== ''
  return isHidden || isElsewhere(view) ? { ...read, unread: 'unseen' } : read
}

/** The lines that a search in the history may have found, whose prompt stands in the place of the shell's. */
function searchedLines({ screen, place, prompt }: LineView): string[] | undefined {
  const { whole } = screen.currentLine()
  if (startsWithPrompt(whole, [place.prefix, prompt])) return undefined
  // A command in several lines is found with the cursor below its first one.
  return foundLines(whole) ?? foundLines(screen.textFrom({ ...place, column: 0 }, { multiline: true }))
}

const startsWithPrompt = (line: string, prompts: readonly string[]) =>
  prompts.some((prompt) => prompt.trim() !== '' && line.startsWith(prompt.trimEnd()))

/** Something else stands where the line's prompt was, and the line is not behind it elsewhere. */
function isElsewhere(view: LineView): boolean {
  const { screen, place, typed, line, prompt } = view
  if (typed.certain || line.owner === 'doubt' || !screen.isMoved(place)) return false
  return !startsWithPrompt(screen.currentLine().whole, [place.prefix, prompt]) && !searchedLines(view)
}

/** What the log says of a line that cannot be read. */
export function unreadText(view: LineView): string {
  const { typed, place } = view
  if (asksSecret(place.prefix)) return ''
  return typed.known ? typed.text.trim() : (searchedLines(view)?.[0] ?? currentText(view))
}

/** The text of a line for the command log. */
function logged(view: LineView, text: string, shown: string, current: string): string {
  const { screen, place, typed, isMultiline, prompt } = view
  if (isMultiline) return shown === '' ? shown : text
  if (!typed.certain) return screen.isCursorIn(place) || current === '' ? shown : current
  // More text than typed is shown by a program that ignored the erasing keys, and for a line typed ahead.
  const more = screen.upToCursor(place) ?? ''
  const isOther =
    more.length > typed.beforeCursor.length && !isPrompt(more.slice(0, -typed.beforeCursor.length), prompt)
  return shown === '' || isOther ? shown : text
}

/** Whether a text may be the prompt again, with another folder or time. */
const isPrompt = (text: string, prompt: string): boolean =>
  prompt.trim() !== '' &&
  text.trimStart().startsWith(prompt.trim().slice(0, 3)) &&
  text.trimEnd().endsWith(prompt.trim().slice(-1))

/** The line with the cursor, wherever it was redrawn: after a cleared screen, a list of completions, in a search. */
function currentText({ screen, place, prompt }: LineView): string {
  return asksSecret(place.prefix) ? '' : behindPrompt(screen.currentLine().whole, [place.prefix, prompt])
}

/** A line in several rows, as recalled from history. Below the cursor a shell may list completions. */
function wholes({ screen, place, typed }: LineView): string[] {
  const options = typed.text.includes('\t') ? { toCursor: true } : { multiline: true }
  return [screen.textFrom(place), screen.textFrom(place, options)].map((text) => text.trim())
}

/** The line was edited by keys whose result is invisible: kernel echo of a busy terminal, or no echo at all. */
export function isUnseen(view: LineView, isAnswered: boolean): boolean {
  const { screen, place, typed, line } = view
  // A program that draws anywhere shows the effect of keys in its own form: there the readable text is checked.
  if (typed.certain || line.owner === 'doubt') return false
  if (!isAnswered || (!typed.known && line.disturbed) || isElsewhere(view)) return true
  const { whole } = screen.currentLine()
  // So long that its beginning has left the screen; on a cleared screen it follows its prompt again.
  const start = place.prefix.trimEnd()
  if (place.row() === undefined && (start === '' || !whole.startsWith(start))) return true
  const shown = screen.textFrom(place)
  if (/\^[[\]A-Z_\\]/u.test(shown)) return true
  if (shown.trim() === '' && typed.everything.trim() !== '' && currentText(view) === '') return true
  // A line of which a terminal shows one part, with marks where it continues (readline's horizontal scrolling).
  if (screen.isMoved(place) && whole.startsWith('<')) return true
  if (whole.endsWith('>') && whole.length >= screen.emulator.cols - 2) return true
  return place.prefix.trim() === '' && typed.text.includes('\t') && screen.hasGap(place)
}
