/** How a command group becomes one regular expression. */

export type CommandGroupType = 'command' | 'regex'

const special = /[()[\]{}?*+\-|^$\\.&~#\s]/g

/** A line of commands as a pattern; undefined when there is nothing on it. */
function linePattern(line: string): string | undefined {
  const words = line.replace(/\s+/g, ' ')
  // A blank line would match every space anybody types.
  if (words.trim() === '') return undefined
  const escaped = words
    .split(' ')
    .map((word) => word.replace(special, '\\$&'))
    .join('\\s+')
  // A command with arguments is looked for as it stands; a single word must begin, and when it ends in a letter also end, as a word.
  if (words.includes(' ')) return escaped
  return `\\b${escaped}${/\p{L}$/u.test(words) ? '\\b' : ''}`
}

/** The pattern connectors search a command for. Empty when the group names nothing: it then matches nothing. */
export function commandPattern(type: CommandGroupType, content: string): string {
  if (type === 'regex') return content
  return content
    .replaceAll('\r\n', '\n')
    .split(/[\r\n]/)
    .flatMap((line) => linePattern(line) ?? [])
    .join('|')
}
