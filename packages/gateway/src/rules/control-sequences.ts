/**
 * Patterns of terminal control sequences (ECMA-48), built from named parts because the bytes themselves are invisible.
 */
const esc = '\\u001b'
const bel = '\\u0007'
const stringEnd = `(?:${bel}|${esc}\\\\)`
const operatingSystem = `${esc}\\][^${bel}${esc}]*${stringEnd}`
const deviceControl = `${esc}[P^_X][^${esc}]*${esc}\\\\`
const controlSequence = `${esc}\\[[0-?]*[ -/]*[@-~]`
const otherControls = `[\\u0000-\\u0008\\u000b-\\u001f\\u007f]`

/** The escape sequence at the start of a text, including a lone ESC. */
export const leadingSequence = new RegExp(
  `^${esc}(?:\\][^${bel}${esc}]*${stringEnd}|P[^${esc}]*${esc}\\\\|O.|\\[[0-?]*[ -/]*[@-~]|.)?`,
  'su',
)

/** Automatic responses of a terminal: reports of position, color, focus. */
export const terminalAnswer = new RegExp(`^${esc}(?:[\\]P]|\\[(?:[IO]|\\??[\\d;]*[Rcny]|[\\d;]*t)$)`, 'u')

/**
 * Runs the line in some programs: Enter of the keypad and as reported by newer keyboard protocols, with any modifier
 * (fish 4), zsh's accept-and-hold.
 */
export const perhapsEnter = new RegExp(
  `^${esc}(?:OM|[aA]|\\[(?:10|13|57414)(?:[;:][\\d;:]*)?u|\\[(?:74|77|79|106|109|111);[\\d;:]+u|\\[27;\\d+;(?:10|13)~)$`,
  'u',
)

/** A shell enables bracketed paste at each of its prompts. */
export const promptSign = new RegExp(`${esc}\\[\\?2004h`, 'gu')

/** Enters or leaves the alternate screen. */
export const alternateScreen = new RegExp(`${esc}\\[\\?(?:[\\d;]*;)?(?:47|1047|1049)(?:;[\\d;]*)?([hl])`, 'gu')

/** Full-screen programs position the cursor absolutely; a shell at its prompt does not. */
export const screenDrawing = new RegExp(`${esc}\\[(?:[\\d;]*[Hdf]|[23]J|\\?(?:47|1047|1049)[hl])`, 'u')

/** Positions the cursor, or redraws a line or the screen: pagers send nothing else until they exit. */
export const cursorDrawing = new RegExp(`${esc}(?:M|\\[[\\d;]*[HfdABGJK])`, 'u')

const sequences = new RegExp(`${operatingSystem}|${deviceControl}|${controlSequence}|${esc}[ -/]*[0-~]`, 'gu')
const leftovers = new RegExp(otherControls, 'gu')

/** Readable text: without control sequences and control characters, lines ended by LF. */
export function withoutSequences(text: string): string {
  return text.replace(sequences, '').replace(/\r+\n/g, '\n').replace(leftovers, '')
}
