import { CommandFilter, type FilterAction, type FilterRule } from '@castellan/contract/command-rules/command-filter'
import { joinedLines } from '@castellan/contract/command-rules/shell-quoting'
import type { Operation } from './operation.ts'
import { programsOf } from './programs.ts'

/** What a command filter decides. */
export interface RuleVerdict {
  readonly action: FilterAction
  readonly rule: string
  readonly ruleName: string
  readonly group: string
}

/** What PowerShell takes for a quote or a dash, and drops: a backtick before a letter, a caret is not one of them. */
const asPowerShell = (text: string): string =>
  text
    .replace(/`\r?\n/g, ' ')
    .replace(/`(?=\S)/g, '')
    .replace(/[\u2013-\u2015]/g, '-')
    .replace(/["'\u2018-\u201b\u201c-\u201e]/g, '')

/**
 * The readings of an operation that rules decide about: its text, each of its lines as in a terminal, as PowerShell reads
 * it, and its folder as the command that enters it.
 */
export function readingsOf({ module, text, chdir }: Operation): string[] {
  const whole = module === 'win_shell' ? [text, asPowerShell(text)] : [text]
  const lines = whole.flatMap((one) =>
    joinedLines(one)
      .split('\n')
      .map((line) => line.trim()),
  )
  return [...new Set([...whole, ...lines, ...(chdir === '' ? [] : [`cd ${chdir}`])])].filter((one) => one !== '')
}

/** The decision about an operation, as in a session; undefined when no rule is about it. */
export function verdictOf(filters: readonly FilterRule[], operation: Operation): RuleVerdict | undefined {
  const { action, rule, group, isTooLong } = new CommandFilter(filters).decide(readingsOf(operation))
  if (!rule && !isTooLong) return undefined
  return { action, rule: rule?.id ?? '', ruleName: rule?.name ?? '', group: group?.name ?? '' }
}

const runsPrograms: ReadonlySet<string> = new Set(['shell', 'raw', 'python', 'win_shell'])

/** The word of the blacklist that a command, or a part of it, runs as a program; undefined when there is none. */
export function blacklisted(blacklist: readonly string[], module: string, command: string): string | undefined {
  if (!runsPrograms.has(module)) return undefined
  const refused = new Set(blacklist.map((word) => word.trim()).filter(Boolean))
  return programsOf(command).find((program) => refused.has(program))
}

const baseOf = (word: string) => word.split('/').at(-1) ?? ''
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
