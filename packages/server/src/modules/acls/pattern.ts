/** Converts a command group to one regular expression. */

export type CommandGroupType = 'command' | 'regex'

const special = /[()[\]{}?*+\-|^$\\.&~#\s]/g

/** The pattern of one line; undefined when it is blank. */
function linePattern(line: string): string | undefined {
  const words = line.replace(/\s+/g, ' ')
  // A blank line would match every space.
  if (words.trim() === '') return undefined
  const escaped = words
    .split(' ')
    .map((word) => word.replace(special, '\\$&'))
    .join('\\s+')
  // A command with arguments is matched literally; a single word must start at a word boundary, and if it ends in a
  // letter also end at one.
  if (words.includes(' ')) return escaped
  return `\\b${escaped}${/\p{L}$/u.test(words) ? '\\b' : ''}`
}

/** The pattern that components search commands for. Empty when the group is empty; it then matches nothing. */
export function commandPattern(type: CommandGroupType, content: string): string {
  if (type === 'regex') return content
  return content
    .replaceAll('\r\n', '\n')
    .split(/[\r\n]/)
    .flatMap((line) => linePattern(line) ?? [])
    .join('|')
}
