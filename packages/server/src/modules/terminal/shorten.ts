/** Shortens a text to at most `max` characters, leaving its first and last part. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  const half = Math.floor((max - 3) / 2)
  return `${text.slice(0, half)}...${text.slice(text.length - half)}`
}
