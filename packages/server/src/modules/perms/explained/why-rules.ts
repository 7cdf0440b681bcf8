import { type AccountFacts, permittedAccounts, protocolPasses, type Rule } from '../effective.ts'

/** What somebody wants to do on an asset; what is left out may be anything. */
export interface Wish {
  /** The key used to connect. */
  account?: string | undefined
  protocol?: string | undefined
  /** A bit. */
  action: number
}

/** A permission as it is judged: also one that is not valid. */
export interface JudgedRule extends Rule {
  readonly is_active: boolean
  readonly date_start: number
}

/** Why a permission that names both the person and the asset does not give something, in the order to look at. */
export const lacks = ['inactive', 'not_started', 'expired', 'account', 'protocol', 'action'] as const
export type Lack = (typeof lacks)[number]

/** Whether one permission alone, were it valid, gives an account, and with which actions. */
function actionsOn(rule: Rule, wish: Wish, accounts: readonly AccountFacts[], username: string): number | undefined {
  const given = permittedAccounts([rule], accounts, username)
  const fitting = given.filter(({ alias }) => wish.account === undefined || alias === wish.account)
  return fitting.length > 0 ? fitting.reduce((all, { actions }) => all | actions, 0) : undefined
}

/** What a permission that names both the person and the asset lacks to give what is wished; empty when it gives it. */
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
  // A permission without any action gives no account at all: the account is judged as if there were some.
  if (actionsOn({ ...rule, actions: rule.actions | wish.action }, wish, accounts, username) === undefined)
    found.push('account')
  if (wish.protocol !== undefined && !protocolPasses([rule], wish.protocol)) found.push('protocol')
  if ((rule.actions & wish.action) === 0) found.push('action')
  return found
}

/** Whether valid rules together give what is wished: the same answer as the connection check. */
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
