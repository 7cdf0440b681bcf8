import { compilePattern, type Pattern } from '@castellan/contract/patterns'
import type { CommandFilterAcl, CommandFilterGroup, FilterAction } from '../server-client/wire.ts'
import { joinedLines } from './continued-line.ts'

/** What the rules say about one command. `rule` and `group` are absent when nothing matched. */
export interface Verdict {
  action: FilterAction
  rule?: CommandFilterAcl
  group?: CommandFilterGroup
  /** The part of the command the pattern hit. */
  matched?: string
  /** Refused because it is too long to be looked through, whatever stands in it. */
  isTooLong?: boolean
}

interface CompiledRule {
  rule: CommandFilterAcl
  groups: { group: CommandFilterGroup; pattern: Pattern }[]
}

/** Among rules of the same priority the stricter one decides (v3 contract, terminal-app.md §9). */
const strictness: Record<FilterAction, number> = { reject: 0, review: 1, warning: 2, accept: 3 }

/** Characters of a line above which matching would hold up the other sessions. */
const longestLine = 16 * 1024

/** What patterns are tried on: a command as typed and as the shell joins it; a very long one line by line. */
const pieces = (text: string): string[] =>
  text.length <= longestLine ? [text, joinedLines(text)] : joinedLines(text).split('\n')

/**
 * The command rules of one session. The higher priority value is matched first; within a rule its groups in the order
 * given; the first hit decides and no hit means accept.
 */
export class CommandFilter {
  private readonly compiled: CompiledRule[]

  constructor(rules: readonly CommandFilterAcl[]) {
    this.compiled = rules
      .filter((rule) => rule.is_active)
      .toSorted((a, b) => b.priority - a.priority || strictness[a.action] - strictness[b.action])
      .map((rule) => ({
        rule,
        groups: rule.command_groups.flatMap((group) => {
          // What is no pattern never hits, as the contract has it (acls.md §6.3).
          const pattern = group.pattern === '' ? undefined : compilePattern(group.pattern, group.ignore_case)
          return pattern ? [{ group, pattern }] : []
        }),
      }))
  }

  get isEmpty(): boolean {
    return this.compiled.length === 0
  }

  /**
   * Decides on one command that may be known in several readings (what was typed, what the screen shows): a rule hits
   * when any reading hits. A line too long to be looked through is refused: rules must not end where a line goes on.
   */
  decide(readings: readonly string[]): Verdict {
    if (this.isEmpty) return { action: 'accept' }
    const texts = new Set(readings.filter((text) => text !== '').flatMap(pieces))
    if ([...texts].some((text) => text.length > longestLine)) return { action: 'reject', isTooLong: true }
    for (const { rule, groups } of this.compiled) {
      for (const { group, pattern } of groups) {
        for (const text of texts) {
          const matched = pattern.find(text)
          if (matched !== undefined) return { action: rule.action, rule, group, matched }
        }
      }
    }
    return { action: 'accept' }
  }
}
