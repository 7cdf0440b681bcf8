/** Patterns of terminal control sequences (ECMA-48), built from named pieces because the bytes themselves are invisible. */
const esc = '\\u001b'
const bel = '\\u0007'
const stringEnd = `(?:${bel}|${esc}\\\\)`
const operatingSystem = `${esc}\\][^${bel}${esc}]*${stringEnd}`
const deviceControl = `${esc}[P^_X][^${esc}]*${esc}\\\\`
const controlSequence = `${esc}\\[[0-?]*[ -/]*[@-~]`
const otherControls = `[\\u0000-\\u0008\\u000b-\\u001f\\u007f]`

/** The escape sequence at the start of a text, a lone ESC included. */
export const leadingSequence = new RegExp(
  `^${esc}(?:\\][^${bel}${esc}]*${stringEnd}|P[^${esc}]*${esc}\\\\|O.|\\[[0-?]*[ -/]*[@-~]|.)?`,
  'su',
)

/** Answers a terminal gives by itself: reports of position, colour, focus. */
export const terminalAnswer = new RegExp(`^${esc}(?:[\\]P]|\\[(?:[IO]|\\??[\\d;]*[Rcny]|[\\d;]*t)$)`, 'u')

const sequences = new RegExp(`${operatingSystem}|${deviceControl}|${controlSequence}|${esc}[ -/]*[0-~]`, 'gu')
const leftovers = new RegExp(otherControls, 'gu')

/** A text as a person reads it: without control sequences and control characters, lines ended by LF. */
export function withoutSequences(text: string): string {
  return text.replace(sequences, '').replace(/\r+\n/g, '\n').replace(leftovers, '')
}
