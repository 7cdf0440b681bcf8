import { type AccountFacts, permittedAccounts, protocolPasses, type Rule } from '../effective.ts'

/** The access in question; omitted parts match anything. */
export interface Wish {
  /** The key used to connect. */
  account?: string | undefined
  protocol?: string | undefined
  /** A bit. */
  action: number
}

/** A permission to evaluate, valid or not. */
export interface JudgedRule extends Rule {
  readonly is_active: boolean
  readonly date_start: number
}

/**
 * Reasons why a permission that names both the user and the asset does not grant the access, in the order of the
 * report.
 */
export const lacks = ['inactive', 'not_started', 'expired', 'account', 'protocol', 'action'] as const
export type Lack = (typeof lacks)[number]

/** The actions that one permission, if valid, grants on the account; undefined when it does not grant the account. */
function actionsOn(rule: Rule, wish: Wish, accounts: readonly AccountFacts[], username: string): number | undefined {
  const given = permittedAccounts([rule], accounts, username)
  const fitting = given.filter(({ alias }) => wish.account === undefined || alias === wish.account)
  return fitting.length > 0 ? fitting.reduce((all, { actions }) => all | actions, 0) : undefined
}

/**
 * The reasons why a permission that names both the user and the asset does not grant the access; empty when it does.
 */
export function missingIn(
  rule: JudgedRule,
  wish: Wish,
  accounts: readonly AccountFacts[],
  username: string,
  now: number,
): Lack[] {
  const found: Lack[] = []
  if (!rule.is_active) found.push('inactive')
  if (rule.date_start >= now) found.push('not_started')
  if (rule.date_expired <= now) found.push('expired')
  // A permission without any action grants no account, so the account is checked as if the action were allowed.
  if (actionsOn({ ...rule, actions: rule.actions | wish.action }, wish, accounts, username) === undefined)
    found.push('account')
  if (wish.protocol !== undefined && !protocolPasses([rule], wish.protocol)) found.push('protocol')
  if ((rule.actions & wish.action) === 0) found.push('action')
  return found
}

/** Whether valid rules together grant the access: the same decision as at connect time. */
export function given(
  rules: readonly Rule[],
  wish: Wish,
  accounts: readonly AccountFacts[],
  username: string,
): boolean {
  if (wish.protocol !== undefined && !protocolPasses(rules, wish.protocol)) return false
  return permittedAccounts(rules, accounts, username).some(
    ({ alias, actions }) => (wish.account === undefined || alias === wish.account) && (actions & wish.action) !== 0,
  )
}
