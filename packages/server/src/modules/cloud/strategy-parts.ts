import { actionAttributes, ruleAttributes, ruleMatches } from '@castellan/contract/choices/cloud'
import { cloudErrors } from '@castellan/contract/messages/cloud'
import { errors } from '@castellan/contract/messages/errors'
import { patternFault } from '@castellan/contract/patterns'
import {
  bare,
  type Change,
  type Field,
  keyOf,
  normalSerial,
  normalUuid,
  type StoredRow,
  textIn,
} from '../../kernel/fields/index.ts'
import { isObject } from '../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../kernel/module/context.ts'
import {
  notAnObject,
  type Problem,
  permissionDenied,
  quoted,
  Rejected,
  text as say,
} from '../../kernel/module/errors.ts'
import { findAll } from '../../kernel/resource/repository.ts'
import { findResource, type Resource } from '../../kernel/resource/resource.ts'

export type RuleAttribute = keyof typeof ruleAttributes
export type RuleMatch = keyof typeof ruleMatches
export type ActionAttribute = keyof typeof actionAttributes

export interface Rule {
  attr: RuleAttribute
  match: RuleMatch
  value: string
}

export interface ProtocolAndPort {
  name: string
  port: number
}

/** What a strategy sets. `value`: the id of the row of that kind. */
export interface StrategyAction {
  attr: ActionAttribute
  value: string
  protocols: readonly ProtocolAndPort[]
}

/** Parts of one strategy, so that a run needs no more than it shows. */
export const mostParts = 100
const longestValue = 128

const targets: Readonly<Record<ActionAttribute, string>> = {
  platform: 'assets.platform',
  node: 'assets.node',
  domain: 'assets.domain',
  account_template: 'accounts.accounttemplate',
  label: 'assets.label',
}

export const targetOf = (attr: ActionAttribute): Resource => findResource(targets[attr])

/** The id in its form in the target's table. */
export const targetId = (attr: ActionAttribute, value: unknown): string | number | undefined =>
  attr === 'platform' ? normalSerial(value) : normalUuid(value)

function chosen<T extends string>(input: unknown, choices: Readonly<Record<T, unknown>>): T {
  const value = bare(input)
  if (typeof value === 'string' && Object.hasOwn(choices, value)) return value as T
  throw new Rejected([say(errors.not_a_choice, { input: quoted(value) })])
}

/** Collects the problems of the fields of one part. */
function reading(): { read<T>(field: string, work: () => T): T; end(): void } {
  const problems: Record<string, Problem> = {}
  return {
    read<T>(field: string, work: () => T): T {
      try {
        return work()
      } catch (error) {
        if (!(error instanceof Rejected)) throw error
        problems[field] = error.problem
        return undefined as T
      }
    },
    end() {
      if (Object.keys(problems).length > 0) throw new Rejected(problems)
    },
  }
}

export function parseRule(input: unknown): Rule {
  if (!isObject(input)) throw new Rejected(notAnObject(input))
  const { read, end } = reading()
  const attr = read('attr', () => chosen(input.attr, ruleAttributes))
  const match = read('match', () => chosen(input.match, ruleMatches))
  const value = read('value', () => {
    const text = textIn(bare(input.value)).trim()
    if (text === '') throw new Rejected([say(errors.required)])
    if (text.length > longestValue) throw new Rejected([say(errors.max_length, { max: longestValue })])
    const fault = match === 'regex' ? patternFault(text) : undefined
    if (fault !== undefined) throw new Rejected([say(cloudErrors.bad_pattern, { fault: quoted(fault) })])
    return text
  })
  end()
  return { attr, match, value }
}

function parseProtocols(input: unknown): ProtocolAndPort[] {
  if (input === undefined || input === null || input === '') return []
  if (!Array.isArray(input)) throw new Rejected([say(errors.not_a_list, { type: typeof input })])
  return input.map((one) => {
    const { name, port } = isObject(one) ? one : {}
    const number = Number(port)
    if (typeof name !== 'string' || !/^[\w-]{1,32}$/.test(name))
      throw new Rejected([say(errors.not_a_choice, { input: quoted(name) })])
    if (!Number.isInteger(number) || number < 0 || number > 65_535)
      throw new Rejected([say(errors.max_value, { max: 65_535 })])
    return { name, port: number }
  })
}

export function parseAction(input: unknown): StrategyAction {
  if (!isObject(input)) throw new Rejected(notAnObject(input))
  const { read, end } = reading()
  const attr = read('attr', () => chosen(input.attr, actionAttributes))
  const value = read('value', () => {
    const key = keyOf(bare(input.value))
    const id = attr && targetId(attr, key)
    if (id === undefined) throw new Rejected([say(errors.does_not_exist, { pk: quoted(key) })])
    return String(id)
  })
  const protocols = read('protocols', () => (attr === 'platform' ? parseProtocols(input.protocols) : []))
  end()
  return { attr, value, protocols }
}

/** Parses a list of parts; errors are reported by position. */
export function parseParts<T>(input: unknown, parse: (one: unknown) => T): (T & { id?: string | undefined })[] {
  if (!Array.isArray(input)) throw new Rejected([say(errors.not_a_list, { type: typeof input })])
  if (input.length > mostParts) throw new Rejected([say(errors.max_items, { max: mostParts })])
  const problems: Problem[] = input.map(() => ({}))
  const parts = input.map((one, index) => {
    try {
      return { ...parse(one), id: isObject(one) ? normalUuid(one.id) : undefined }
    } catch (error) {
      if (!(error instanceof Rejected)) throw error
      problems[index] = error.problem
      return undefined
    }
  })
  if (parts.some((part) => part === undefined)) throw new Rejected(problems)
  const known = parts as (T & { id?: string | undefined })[]
  const keys = known.map((part) => JSON.stringify({ ...part, id: undefined }))
  if (new Set(keys).size < keys.length) throw new Rejected([say(cloudErrors.same_twice)])
  return known
}

/** @throws Rejected when a strategy sets a platform or a domain twice */
export function demandSingle(actions: readonly StrategyAction[]): void {
  for (const attr of ['platform', 'domain'])
    if (actions.filter((action) => action.attr === attr).length > 1) throw new Rejected([say(cloudErrors.only_one)])
}

/** The rows that actions name, of the caller's organization, by `attr:id`. */
export async function targetRows(
  ctx: Context,
  actions: readonly Pick<StrategyAction, 'attr' | 'value'>[],
): Promise<Map<string, StoredRow>> {
  const found = new Map<string, StoredRow>()
  for (const [attr, some] of Map.groupBy(actions, (action) => action.attr)) {
    const ids = [...new Set(some.flatMap(({ value }) => targetId(attr, value) ?? []))]
    for (const row of await findAll(ctx, targetOf(attr), (query) => query.where('t.id', 'in', ids)))
      found.set(`${attr}:${row.id}`, row)
  }
  return found
}

/**
 * Checks what actions name: it exists in the organization, platforms are for hosts, and whoever sets a template may see
 * its secret, which the accounts get. @throws Rejected, ApiError 403
 */
export async function demandTargets(ctx: Context, actions: readonly StrategyAction[]): Promise<void> {
  const rows = await targetRows(ctx, actions)
  const problems = actions.map(({ attr, value }): Problem => {
    const row = rows.get(`${attr}:${value}`)
    if (!row) return { value: [say(errors.does_not_exist, { pk: value })] }
    return attr === 'platform' && row.category !== 'host' ? { value: [say(cloudErrors.not_a_host_platform)] } : {}
  })
  if (problems.some((problem) => Object.keys(problem as object).length > 0)) throw new Rejected(problems)
  demandTemplates(ctx, actions)
}

/** Throws 403 unless the caller may see the secrets of templates, when actions name one. */
export function demandTemplates(ctx: Context, actions: readonly Pick<StrategyAction, 'attr'>[]): void {
  const isNamed = actions.some(({ attr }) => attr === 'account_template')
  if (isNamed && ctx.caller && !ctx.can('accounts.view_accounttemplatesecret'))
    throw permissionDenied(say(cloudErrors.template_needs_right))
}

/** The name of what an action sets. */
export const targetName = (attr: ActionAttribute, row: StoredRow | undefined): string =>
  row ? String(attr === 'node' ? row.full_value : targetOf(attr).displayOf(row)) : '-'

/** A list of parts that a strategy has in a table of their own. */
export interface PartsOf<T> {
  table: () => Resource
  parse(input: unknown): T
  show(ctx: Context, rows: readonly StoredRow[]): Promise<(row: StoredRow) => StoredRow>
  columns(part: T): StoredRow
}

/** What a part of a strategy is in a change of it. */
export type SentPart<T> = T & { id?: string | undefined }

export const sentParts = <T>(change: Change, field: string): readonly SentPart<T>[] | undefined =>
  change.values[field] as readonly SentPart<T>[] | undefined

export type PartsField = Field<never, 'none'>
