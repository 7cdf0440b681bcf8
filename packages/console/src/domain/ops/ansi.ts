/** Colors and styles in the output of commands, as parts of text. Other control sequences do not reach the console. */

export interface StyledText {
  text: string
  /** CSS classes; empty for plain text. */
  style: string
}

const colors = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const

interface Style {
  color: string
  bold: boolean
  dim: boolean
  underline: boolean
}
const plain: Style = { color: '', bold: false, dim: false, underline: false }

/** The style after the codes of one sequence. Extended colors (256 and true color) are skipped with their arguments. */
function after(style: Style, codes: readonly number[]): Style {
  let next = style
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0
    if (code === 0) next = plain
    else if (code === 1) next = { ...next, bold: true }
    else if (code === 2) next = { ...next, dim: true }
    else if (code === 4) next = { ...next, underline: true }
    else if (code === 22) next = { ...next, bold: false, dim: false }
    else if (code === 24) next = { ...next, underline: false }
    else if (code === 39) next = { ...next, color: '' }
    else if (code >= 30 && code <= 37) next = { ...next, color: colors[code - 30] ?? '' }
    else if (code >= 90 && code <= 97) next = { ...next, color: colors[code - 90] ?? '' }
    else if (code === 38 || code === 48) at += codes[at + 1] === 5 ? 2 : 4
  }
  return next
}

const classesOf = ({ color, bold, dim, underline }: Style): string =>
  [color && `ansi-${color}`, bold && 'ansi-bold', dim && 'ansi-dim', underline && 'ansi-underline']
    .filter(Boolean)
    .join(' ')

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins a style
const sequence = /\u001b\[([\d;:]*)m/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const others = /\u001b(?:\[[\d;:?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)?/g

/** Splits text at its styles. */
export function styledText(text: string): StyledText[] {
  const parts: StyledText[] = []
  let style = plain
  let from = 0
  const put = (written: string) => {
    const shown = written.replace(others, '')
    if (shown) parts.push({ text: shown, style: classesOf(style) })
  }
  for (const match of text.matchAll(sequence)) {
    put(text.slice(from, match.index))
    from = match.index + match[0].length
    style = after(style, (match[1] ?? '').split(/[;:]/).map(Number))
  }
  put(text.slice(from))
  return parts
}
