import { compilePattern, type Pattern } from '../patterns.ts'
import { joinedLines, shellForms } from './shell-quoting.ts'

export type FilterAction = 'reject' | 'accept' | 'warning' | 'review'

/** Commands that a rule is about, as one pattern. */
export interface FilterGroup {
  id: string
  name: string
  ignore_case: boolean
  pattern: string
}

/** A command filter, as far as its decision goes. */
export interface FilterRule {
  id: string
  name: string
  action: FilterAction
  priority: number
  is_active: boolean
  command_groups: readonly FilterGroup[]
}

/** What a line may be beside what it was read as. */
export interface Suspicions {
  /** What the line may be if some assumption is wrong. */
  possible?: string[]
  /** Lines decided on before that occur in those again: their matches do not count twice. */
  decided?: string[]
  /** There were so many keys that the line cannot be determined. */
  isTooLong?: boolean
}

/** The verdict of the rules on one command. `rule` and `group` are absent when nothing matched. */
export interface Verdict {
  action: FilterAction
  rule?: FilterRule
  group?: FilterGroup
  /** The part of the command that the pattern matched. */
  matched?: string
  /** The less certain reading that matched. */
  suspicion?: string
  /** Rejected because it is too long to be checked. */
  isTooLong?: boolean
}

interface CompiledRule {
  rule: FilterRule
  groups: { group: FilterGroup; pattern: Pattern }[]
}

/** The stricter of two verdicts: a rule that accepts is no match of its own beside another one. */
export const stricterOf = (one: Verdict, other: Verdict): Verdict =>
  strictness[other.action] < strictness[one.action] || (!one.rule && other.rule && other.action === one.action)
    ? other
    : one

/** Among rules of the same priority the stricter one decides. */
const strictness: Record<FilterAction, number> = { reject: 0, review: 1, warning: 2, accept: 3 }

/** Length of a line above which matching would delay other sessions. Characters. */
const longestLine = 16 * 1024

/** The texts to match: a command as typed and as the shell reads it; a very long one line by line. */
const pieces = (text: string): string[] =>
  text.length <= longestLine ? shellForms(text) : joinedLines(text).split('\n').flatMap(formsInBounds)

/** A line too long for the rules is rejected as it is, without computing its other forms. */
const formsInBounds = (line: string): string[] => (line.length <= longestLine ? shellForms(line) : [line])

/**
 * A harmless character: a pattern that matches it matches everything, in order to reject what no other rule accepts.
 */
const neutral = '\u0001'

/**
 * The command rules of one session. Higher priority values are matched first; within a rule its groups in the given
 * order; the first match decides and no match means accept.
 */
export class CommandFilter {
  private readonly compiled: CompiledRule[]

  constructor(rules: readonly FilterRule[]) {
    this.compiled = rules
      .filter((rule) => rule.is_active)
      .toSorted((a, b) => b.priority - a.priority || strictness[a.action] - strictness[b.action])
      .map((rule) => ({
        rule,
        groups: rule.command_groups.flatMap((group) => {
          // An invalid pattern never matches, as in the contract.
          const pattern = group.pattern === '' ? undefined : compilePattern(group.pattern, group.ignore_case)
          return pattern ? [{ group, pattern }] : []
        }),
      }))
  }

  get isEmpty(): boolean {
    return this.compiled.length === 0
  }

  /**
   * Decides on one command with several possible readings (from the keys, from the screen): the strictest verdict on
   * any of them counts. Suspicions can only be rejected by a rule that names them, never by a rule that rejects
   * everything. A line too long to be checked is rejected, because otherwise rules could be bypassed by long lines.
   */
  decide(readings: readonly string[], suspicions: Suspicions = {}): Verdict {
    if (this.isEmpty) return { action: 'accept' }
    if (suspicions.isTooLong) return { action: 'reject', isTooLong: true }
    const verdicts = this.verdicts(readings, suspicions)
    return verdicts.reduce(stricterOf)
  }

  private verdicts(readings: readonly string[], suspicions: Suspicions): [Verdict, ...Verdict[]] {
    const certain = unique(readings).map((reading) => this.verdict(pieces(reading)))
    const decided = (suspicions.decided ?? []).flatMap(pieces)
    const others = unique(suspicions.possible ?? [])
      .filter((text) => !readings.includes(text))
      .map((text) => ({ ...this.verdict(pieces(text), [...decided, neutral]), suspicion: text }))
    return [{ action: 'accept' }, ...certain, ...others]
  }

  /** The first rule that matches any form of one reading. Patterns that match `except` are ignored. */
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
