/** Ranges of characters that take two cells (Unicode East Asian Width W and F, and emoji). */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
]
const combining = /^\p{Mn}|\p{Me}|\p{Cf}$/u

/** Number of cells of one character: 0, 1 or 2. */
export function charWidth(char: string): number {
  const code = char.codePointAt(0) ?? 0
  if (code < 0x20 || (code >= 0x7f && code < 0xa0) || combining.test(char)) return 0
  return code >= 0x1100 && wide.some(([from, to]) => code >= from && code <= to) ? 2 : 1
}

export function textWidth(text: string): number {
  let width = 0
  for (const char of text) width += charWidth(char)
  return width
}

/** Cuts or pads a text to exactly that many cells; a cut text ends in `…`. Control characters are dropped. */
export function fit(text: string, cells: number): string {
  const whole = textWidth(text)
  let out = ''
  let width = 0
  for (const char of text) {
    const next = charWidth(char)
    if (next === 0 && (char.codePointAt(0) ?? 0) < 0xa0) continue
    if (whole > cells && width + next > cells - 1) {
      out += cells > 0 ? '…' : ''
      width += 1
      break
    }
    out += char
    width += next
  }
  return out + ' '.repeat(Math.max(0, cells - width))
}
