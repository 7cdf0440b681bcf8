import { joinedLines, shellForms } from '@castellan/contract/command-rules/shell-quoting'

const separators = /\r?\n|;|&&|\|\||\||&|\$\(|`|\(|\)|\{|\}/
const assignment = /^[A-Za-z_]\w*\+?=/
/** Words that run the command behind them. */
const runners = new Set([
  ...['sudo', 'su', 'doas', 'exec', 'eval', 'command', 'builtin', 'env', 'nohup', 'time', 'timeout', 'nice', 'ionice'],
  ...['stdbuf', 'setsid', 'xargs', 'watch', 'chroot', 'busybox', 'sh', 'bash', 'dash', 'ash', 'ksh', 'zsh'],
  ...[
    'if',
    'then',
    'elif',
    'else',
    'while',
    'until',
    'do',
    '!',
    'coproc',
    'trap',
    'chrt',
    'taskset',
    'unshare',
    'script',
  ],
])
/** Nesting of shells in the words of shells that is followed. */
const mostNested = 4

const baseOf = (word: string) =>
  word
    .replace(/^["'\\]+|["')}`]+$/g, '')
    .split('/')
    .at(-1) ?? ''

/** The program that words run, without its folder; several where a word may be the value of the option before it. */
function programOf(words: readonly string[]): string[] {
  const found: string[] = []
  let mayBeValue = false
  for (const word of words) {
    const name = baseOf(word)
    if (runners.has(name) || assignment.test(word) || /^\d/.test(word)) continue
    if (word.startsWith('-')) {
      mayBeValue = true
      continue
    }
    found.push(name)
    if (!mayBeValue) break
    mayBeValue = false
  }
  return found
}

const redirection = /^(?:\d+|\{\w+\})?(?:<<<|<<-?|<>|<&|<|>>|>\||>&|>|&>>|&>)/
const word = /^(?:\\.|'[^']*'|\$?"(?:\\.|[^"\\])*"|\$'(?:\\.|[^'\\])*'|[^\s;&|<>()'"\\])+/s

/**
 * The commands of a text as a shell separates them, each as its words with their quotes. Targets of redirections are no
 * words of a command.
 */
function commandsOf(text: string): string[][] {
  const commands: string[][] = [[]]
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at)
    const redirected = redirection.exec(rest)?.[0]
    if (redirected) {
      at += redirected.length
      // `<(…)` and `>(…)` run what is in them.
      const target = /^[ \t]*/.exec(text.slice(at))?.[0].length ?? 0
      at += target + (word.exec(text.slice(at + target))?.[0].length ?? 0)
      continue
    }
    const found = word.exec(rest)?.[0]
    if (found) commands.at(-1)?.push(found)
    else if (!/^[ \t]/.test(rest)) commands.push([])
    at += found?.length ?? 1
  }
  return commands
}

/** A word without its quotes. */
const plainWord = (quoted: string): string => shellForms(quoted).at(-1) ?? quoted

function programsBySyntax(text: string, depth: number): string[] {
  return commandsOf(joinedLines(text)).flatMap((quoted) => {
    const words = quoted.map(plainWord)
    const nested =
      depth < mostNested
        ? words.filter((one) => /[\s;&|()<>]/.test(one)).flatMap((one) => programsBySyntax(one, depth + 1))
        : []
    const [first = ''] = words
    const runs = words.some((one) => runners.has(baseOf(one)) || assignment.test(first))
    return [...programOf(words), ...(runs ? nested : [])]
  })
}

/**
 * The programs that a command line runs: as a shell separates words, redirections, patterns of `case` and commands, and in
 * every form of it that command filters read.
 */
export function programsOf(command: string): string[] {
  const byForm = shellForms(command).flatMap((form) =>
    form.split(separators).flatMap((part) => programOf(part.trim().split(/\s+/).filter(Boolean))),
  )
  return [...new Set([...byForm, ...programsBySyntax(command, 0)])]
}
