const event = /!(?:!|-(\d+)|\?([^?\n]+)\??|([\w./-]+))?((?::?[$^*])?)((?::g?s\/[^/]*\/[^/]*\/?|:&)?)/gu
const quick = /^\^([^^]*)\^([^^]*)/u
const runAgain = /^\s*fc\s+-s(?:\s+([^\s=]+)=(\S*))?(?:\s+([\w./-]+))?\s*$/u

/**
 * A line after history expansion by a shell (`!!`, `!-2`, `!rm`, `!$`, `^old^new`, `fc -s old=new`), as far as the
 * earlier lines are known. Undefined when nothing is expanded.
 */
export function expandHistory(line: string, history: readonly string[]): string | undefined {
  const last = history.at(-1)
  if (last === undefined) return undefined
  const replaced = quick.exec(line)
  if (replaced) return last.replace(replaced[1] ?? '', replaced[2] ?? '')
  const again = runAgain.exec(line)
  if (again) {
    const [, old = '', by = '', start] = again
    return eventOf(history, start === undefined ? {} : { start })?.replace(old, by)
  }
  if (!line.includes('!')) return undefined
  let isExpanded = false
  const expanded = line.replace(event, (all, back, part, start, words, change) => {
    if (all === '!') return all
    const found = eventOf(history, { back, part, start })
    if (found === undefined) return all
    isExpanded = true
    return changed(wordsOf(found, words), change)
  })
  return isExpanded ? expanded : undefined
}

function eventOf(
  history: readonly string[],
  { back, part, start }: { back?: string; part?: string; start?: string },
): string | undefined {
  if (back !== undefined) return history.at(-Number(back))
  if (part !== undefined) return history.findLast((line) => line.includes(part))
  if (start !== undefined) return history.findLast((line) => line.startsWith(start))
  return history.at(-1)
}

function wordsOf(line: string, which: string): string {
  const words = line.split(/\s+/u)
  if (which.endsWith('$')) return words.at(-1) ?? ''
  if (which.endsWith('^')) return words[1] ?? ''
  return which.endsWith('*') ? words.slice(1).join(' ') : line
}

function changed(line: string, change: string): string {
  const [, how, old = '', by = ''] = /^:(g?s)\/([^/]*)\/([^/]*)/u.exec(change) ?? []
  if (how === undefined) return line
  return how === 'gs' ? line.replaceAll(old, by) : line.replace(old, by)
}
