import { CommandFilter, type FilterAction, type FilterRule } from '@castellan/contract/command-rules/command-filter'
import { shellForms } from '@castellan/contract/command-rules/shell-quoting'

/** What a command filter decides. */
export interface RuleVerdict {
  readonly action: FilterAction
  readonly rule: string
  readonly ruleName: string
  readonly group: string
}

/** The decision about a command, as in a session; undefined when no rule is about it. */
export function verdictOf(filters: readonly FilterRule[], command: string): RuleVerdict | undefined {
  const { action, rule, group, isTooLong } = new CommandFilter(filters).decide([command])
  if (!rule && !isTooLong) return undefined
  return { action, rule: rule?.id ?? '', ruleName: rule?.name ?? '', group: group?.name ?? '' }
}

const separators = /\r?\n|;|&&|\|\||\||&|\$\(|`|\(|\{/
const assignment = /^[A-Za-z_]\w*=/
/** Words that run the command behind them. */
const runners = new Set([
  ...['sudo', 'su', 'doas', 'exec', 'eval', 'command', 'builtin', 'env', 'nohup', 'time', 'timeout', 'nice', 'ionice'],
  ...['stdbuf', 'setsid', 'xargs', 'watch', 'chroot', 'busybox', 'sh', 'bash', 'dash', 'ash', 'ksh', 'zsh'],
  ...['if', 'then', 'elif', 'else', 'while', 'until', 'do', '!'],
])

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

/** The programs that a command line runs, as it is written and as a shell reads it. */
const programsOf = (command: string): string[] =>
  shellForms(command).flatMap((form) =>
    form.split(separators).flatMap((part) => programOf(part.trim().split(/\s+/).filter(Boolean))),
  )
const baseOf = (word: string) =>
  word
    .replace(/^["'\\]+|["')}`]+$/g, '')
    .split('/')
    .at(-1) ?? ''

/** The word of the blacklist that a command, or a part of it, runs as a program; undefined when there is none. */
export function blacklisted(blacklist: readonly string[], module: string, command: string): string | undefined {
  if (module !== 'shell' && module !== 'raw' && module !== 'python') return undefined
  const refused = new Set(blacklist.map((word) => word.trim()).filter(Boolean))
  return programsOf(command).find((program) => refused.has(program))
}

const wordsIn = (text: string) => new Set(text.split(/[^\w./-]+/).map((word) => baseOf(word)))

/** The word of the blacklist that stands anywhere in a file of a playbook, and the file. */
export function blacklistedIn(
  blacklist: readonly string[],
  files: readonly { readonly path: string; readonly content: string; readonly is_binary: number | boolean }[],
): { word: string; path: string } | undefined {
  const refused = blacklist.map((word) => word.trim()).filter(Boolean)
  for (const { path, content, is_binary } of files) {
    const words = is_binary ? new Set<string>() : wordsIn(content)
    const word = refused.find((one) => words.has(one))
    if (word) return { word, path }
  }
  return undefined
}
