import { CommandFilter, type FilterAction, type FilterRule } from '@castellan/contract/command-rules/command-filter'

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
const runners = new Set(['sudo', 'exec', 'nohup', 'time', 'env', 'command', 'nice', 'doas', 'builtin'])

/** The programs that a command line names first, without their folders. */
function programsOf(command: string): string[] {
  return command.split(separators).flatMap((part) => {
    const words = part
      .trim()
      .split(/\s+/)
      .filter((word) => word !== '' && !assignment.test(word))
    const at = words.findIndex((word) => !runners.has(baseOf(word)) && !word.startsWith('-'))
    return at < 0 ? [] : [baseOf(words[at] ?? '')]
  })
}
const baseOf = (word: string) =>
  word
    .replace(/^["'\\]+|["')}`]+$/g, '')
    .split('/')
    .at(-1) ?? ''

/** The word of the blacklist with which a command, or a part of it, begins; undefined when there is none. */
export function blacklisted(blacklist: readonly string[], module: string, command: string): string | undefined {
  if (module !== 'shell' && module !== 'raw' && module !== 'python') return undefined
  const refused = new Set(blacklist.map((word) => word.trim()).filter(Boolean))
  return programsOf(command).find((program) => refused.has(program))
}
