/** Tags of a tag input. Pure. */

/** Splits typed or pasted text at commas, semicolons and line ends, and optionally spaces. */
export function wordsIn(text: string, blanks = true): string[] {
  return text
    .split(blanks ? /[\s,;，；、]+/ : /[\r\n,;，；、]+/)
    .map((word) => word.trim())
    .filter(Boolean)
}

/** A list in wire format: an array or comma-separated text. */
export const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : typeof value === 'string' ? wordsIn(value, false) : []

/** The list with tags appended, without duplicates. */
export const withWords = (list: readonly string[], more: readonly string[]): string[] => [
  ...new Set([...list, ...more]),
]
