/** Words of a tag input. Pure. */

/** The words in what was typed or pasted: separated by commas, semicolons or line ends, and blanks where asked. */
export function wordsIn(text: string, blanks = true): string[] {
  return text
    .split(blanks ? /[\s,;，；、]+/ : /[\r\n,;，；、]+/)
    .map((word) => word.trim())
    .filter(Boolean)
}

/** A list as the wire may have it: an array, or one text with commas. */
export const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : typeof value === 'string' ? wordsIn(value, false) : []

/** The list with more words at its end, none of them twice. */
export const withWords = (list: readonly string[], more: readonly string[]): string[] => [
  ...new Set([...list, ...more]),
]
