import { compilePattern, type Pattern } from '@castellan/contract/patterns'
import type { CommandFilterAcl, CommandFilterGroup, FilterAction } from '../server-client/wire.ts'
import type { Suspicions } from './continued-line.ts'
import { joinedLines, shellForms } from './shell-quoting.ts'

/** What the rules say about one command. `rule` and `group` are absent when nothing matched. */
export interface Verdict {
  action: FilterAction
  rule?: CommandFilterAcl
  group?: CommandFilterGroup
  /** The part of the command the pattern hit. */
  matched?: string
  /** The less certain reading that it hit. */
  suspicion?: string
  /** Refused because it is too long to be looked through, whatever stands in it. */
  isTooLong?: boolean
}

interface CompiledRule {
  rule: CommandFilterAcl
  groups: { group: CommandFilterGroup; pattern: Pattern }[]
}

/** Among rules of the same priority the stricter one decides. */
const strictness: Record<FilterAction, number> = { reject: 0, review: 1, warning: 2, accept: 3 }

/** Characters of a line above which matching would hold up the other sessions. */
const longestLine = 16 * 1024

/** What patterns are tried on: a command as typed and as the shell reads it; a very long one line by line. */
const pieces = (text: string): string[] =>
  text.length <= longestLine ? shellForms(text) : joinedLines(text).split('\n').flatMap(formsInBounds)

/** A line too long for the rules is refused as it is: nothing is made of it. */
const formsInBounds = (line: string): string[] => (line.length <= longestLine ? shellForms(line) : [line])

/** Nobody forbids this: a pattern that hits it hits everything, to refuse what no other rule accepts. */
const neutral = '\u0001'

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
          // What is no pattern never hits, as the contract has it.
          const pattern = group.pattern === '' ? undefined : compilePattern(group.pattern, group.ignore_case)
          return pattern ? [{ group, pattern }] : []
        }),
      }))
  }

  get isEmpty(): boolean {
    return this.compiled.length === 0
  }

  /**
   * Decides on one command that may be known in several readings (what the keys amount to, what the screen shows): the
   * strictest verdict on any of them counts. Suspicions can only be refused by what a rule names, never by a rule that
   * refuses everything. A line too long to be looked through is refused: rules must not end where a line goes on.
   */
  decide(readings: readonly string[], suspicions: Suspicions = {}): Verdict {
    if (this.isEmpty) return { action: 'accept' }
    if (suspicions.isTooLong) return { action: 'reject', isTooLong: true }
    const verdicts = this.verdicts(readings, suspicions)
    return verdicts.reduce((strictest, verdict) =>
      strictness[verdict.action] < strictness[strictest.action] || (!strictest.rule && verdict.rule)
        ? verdict
        : strictest,
    )
  }

  private verdicts(readings: readonly string[], suspicions: Suspicions): [Verdict, ...Verdict[]] {
    const certain = unique(readings).map((reading) => this.verdict(pieces(reading)))
    const decided = (suspicions.decided ?? []).flatMap(pieces)
    const others = unique(suspicions.possible ?? [])
      .filter((text) => !readings.includes(text))
      .map((text) => ({ ...this.verdict(pieces(text), [...decided, neutral]), suspicion: text }))
    return [{ action: 'accept' }, ...certain, ...others]
  }

  /** The first rule that hits any form of one reading. Patterns that hit `except` do not count. */
  private verdict(texts: readonly string[], except: readonly string[] = []): Verdict {
    if (texts.some((text) => text.length > longestLine)) return { action: 'reject', isTooLong: true }
    for (const { rule, groups } of this.compiled) {
      for (const { group, pattern } of groups) {
        const matched = texts.map((text) => pattern.find(text)).find((found) => found !== undefined)
        if (matched === undefined || except.some((text) => pattern.find(text) !== undefined)) continue
        return { action: rule.action, rule, group, matched }
      }
    }
    return { action: 'accept' }
  }
}

const unique = (texts: readonly string[]) => [...new Set(texts)].filter((text) => text !== '')
