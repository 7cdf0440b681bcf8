import type { ReadCommand } from './continued-line.ts'
import type { Place, Screen } from './screen.ts'
import type { TypedLine } from './typed-line.ts'

/** All that is known of a line that is about to be entered. */
export interface LineView {
  screen: Screen
  /** Where it begins. */
  place: Place
  typed: TypedLine
  /** It holds pasted line ends. */
  isMultiline: boolean
}

const secretPrompt =
  /(?:password|passphrase|passcode|secret|pin|otp|verification code|密码|口令|验证码|パスワード|暗証番号)[^\n]*[::]\s*$/iu

/** A prompt that asks for something which must not stand in any log. */
export const asksSecret = (prompt: string): boolean => secretPrompt.test(prompt)

/** The command when screen and typing agree already; the usual case, without any waiting. */
export function settledCommand({ screen, place, typed, isMultiline }: LineView): ReadCommand | undefined {
  if (!typed.certain || isMultiline) return undefined
  const text = typed.text.trim()
  const shown = screen.textFrom(place, { upToGap: true }).trim()
  if (text === '' && shown === '') return { text: '', readings: [] }
  if (text === '') return undefined
  // Typed ahead, the line may have been echoed below the place where it began.
  const isShown = shown.startsWith(text) || shown.endsWith(text) || screen.currentLine().whole.endsWith(text)
  return isShown ? { text, readings: [text] } : undefined
}

/** The command as screen and typing tell it together, with every way to read it. */
export function readCommand({ screen, place, typed, isMultiline }: LineView): ReadCommand {
  const text = typed.text.trim()
  const shown = screen.textFrom(place, { upToGap: !isMultiline, multiline: isMultiline }).trim()
  const whole = screen.textFrom(place, { multiline: isMultiline }).trim()
  const readings = [...new Set([text, shown, ...(typed.certain ? [] : [whole])])].filter((reading) => reading !== '')
  const isMasked = shown !== '' && /^[*•●]+$/u.test(shown)
  // A password may have been typed ahead of its prompt.
  const isSecret = !shown.includes(text) && asksSecret(`${place.prefix}${shown} `)
  if (isMasked || isSecret) return { text: '', readings }
  return { text: (typed.certain || isMultiline) && shown !== '' ? text : shown, readings }
}

/** The line was edited by keys whose result nobody sees: kernel echo of a busy terminal, or no echo at all. */
export function isUnseen({ screen, place, typed }: LineView, isAnswered: boolean): boolean {
  if (typed.certain) return false
  if (!isAnswered) return true
  const shown = screen.textFrom(place)
  if (/\^[[\]A-Z_\\]/u.test(shown)) return true
  return place.prefix.trim() === '' && typed.text.includes('\t') && screen.hasGap(place)
}
