import { compilePattern } from '@castellan/contract/patterns'
import type { ActionAttribute, ProtocolAndPort, Rule, StrategyAction } from './strategy-parts.ts'

/** What rules compare. */
export interface Described {
  name: string
  platform: string
  address: string
}

export interface Strategy {
  priority: number
  name: string
  rules: readonly Rule[]
  actions: readonly StrategyAction[]
}

/** What the strategies that match an instance set for it. */
export interface Outcome {
  platform: string | undefined
  protocols: readonly ProtocolAndPort[]
  domain: string | undefined
  nodes: readonly string[]
  labels: readonly string[]
  templates: readonly string[]
}

const tests: Readonly<Record<Exclude<Rule['match'], 'regex'>, (text: string, value: string) => boolean>> = {
  exact: (text, value) => text === value,
  not: (text, value) => text !== value,
  contains: (text, value) => text.includes(value),
  startswith: (text, value) => text.startsWith(value),
  endswith: (text, value) => text.endsWith(value),
}

/** A rule as a predicate; its pattern is compiled once. Letters match in either case, as names of platforms do. */
function predicate({ attr, match, value }: Rule): (of: Described) => boolean {
  const read = (of: Described) =>
    attr === 'instance_name' ? of.name : attr === 'instance_platform' ? of.platform : of.address
  if (match === 'regex') {
    const pattern = compilePattern(value)
    return (of) => pattern?.find(read(of)) !== undefined
  }
  const wanted = value.toLowerCase()
  return (of) => tests[match](read(of).toLowerCase(), wanted)
}

/**
 * Applies strategies to instances: the highest priority first, equal ones by name. All rules of a strategy have to
 * match. Every strategy that matches takes part: nodes, labels and templates add up, of platforms and domains the first
 * one counts.
 */
export function compileStrategies(strategies: readonly Strategy[]): (of: Described) => Outcome {
  const compiled = strategies
    .toSorted((one, other) => other.priority - one.priority || (one.name < other.name ? -1 : 1))
    .map(({ rules, actions }) => ({ rules: rules.map(predicate), actions }))
  return (of) => {
    const matching = compiled.filter(({ rules }) => rules.every((matches) => matches(of)))
    const set = matching.flatMap(({ actions }) => actions)
    const all = (attr: ActionAttribute) => [
      ...new Set(set.filter((action) => action.attr === attr).map(({ value }) => value)),
    ]
    const platform = set.find(({ attr }) => attr === 'platform')
    return {
      platform: platform?.value,
      protocols: platform?.protocols ?? [],
      domain: all('domain')[0],
      nodes: all('node'),
      labels: all('label'),
      templates: all('account_template'),
    }
  }
}
