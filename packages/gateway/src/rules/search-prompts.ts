/**
 * A line while it is searched for: readline writes `` (reverse-i-search)`rm': rm -rf x `` in the place of its prompt, and
 * other shells the same with other quotes. Those that keep their prompt are read without this.
 */
const searching = /^(?:\([a-z]{1,3}\)|[@:+])?\((?:failed |failing )?(?:reverse-|forward-)?i-search\)[`']/u
const separator = "': "

/**
 * The lines that an incremental search may have found, as the screen shows it; undefined when there is none. Several,
 * the most likely first, when the text searched for contains the separator itself.
 */
export function foundLines(line: string): string[] | undefined {
  const start = searching.exec(line)?.[0]
  if (start === undefined) return undefined
  const rest = `${line.slice(start.length)} `
  const found: { isLikely: boolean; text: string }[] = []
  for (let at = rest.indexOf(separator); at !== -1; at = rest.indexOf(separator, at + 1)) {
    const text = rest.slice(at + separator.length).trim()
    found.push({ isLikely: text.includes(rest.slice(0, at)), text })
  }
  return found.toSorted((one, other) => Number(other.isLikely) - Number(one.isLikely)).map(({ text }) => text)
}
