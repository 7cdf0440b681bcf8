/** Keeps the first and the last part of a text that is too long: at most `max` characters. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  const half = Math.floor((max - 3) / 2)
  return `${text.slice(0, half)}...${text.slice(text.length - half)}`
}
