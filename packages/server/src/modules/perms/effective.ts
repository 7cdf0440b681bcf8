/** The access decision on plain values; `valid-permissions.ts` and `granted/permed-account.ts` load them. */

/**
 * The relevant part of a permission that is known to concern the user and the asset. Timestamps are unix milliseconds.
 */
export interface Rule {
  readonly id: string
  readonly accounts: readonly string[]
  readonly protocols: readonly string[]
  /** A bit set; undefined bits may be stored and are ignored. */
  readonly actions: number
  readonly date_expired: number
}

export interface AccountFacts {
  readonly id: string
  readonly name: string
  readonly username: string
  readonly is_active: boolean
}

/** Accounts that exist only for a connection. */
export const virtualAliases = ['@INPUT', '@USER', '@ANON'] as const
export type VirtualAlias = (typeof virtualAliases)[number]

export interface Permitted<A extends AccountFacts = AccountFacts> {
  /** The key used to connect: the account's name, its username when that starts with `@`, or a virtual alias. */
  readonly alias: string
  /** Undefined for a virtual account. */
  readonly account: A | undefined
  readonly actions: number
  /** The latest expiry of the rules that grant it. */
  readonly dateExpired: number
  /** The rules that grant it. */
  readonly rules: readonly string[]
}

interface Share {
  actions: number
  dateExpired: number
  rules: Set<string>
}

function add(shares: Map<string, Share>, key: string, share: Share): void {
  const known = shares.get(key)
  if (known) {
    known.actions |= share.actions
    known.dateExpired = Math.max(known.dateExpired, share.dateExpired)
    for (const rule of share.rules) known.rules.add(rule)
  } else shares.set(key, { ...share, rules: new Set(share.rules) })
}

/** The protocols that rules allow on an asset which offers `offered`; `all` allows every one. */
export function permittedProtocols(rules: readonly Rule[], offered: readonly string[]): string[] {
  const named = new Set(rules.flatMap((rule) => rule.protocols))
  return named.has('all') ? [...offered] : offered.filter((name) => named.has(name))
}

/** Whether a protocol may be requested: with `all` any name passes, even one the asset does not list. */
export const protocolPasses = (rules: readonly Rule[], protocol: string): boolean =>
  rules.some((rule) => rule.protocols.includes('all') || rule.protocols.includes(protocol))

export const aliasOf = ({ name, username }: AccountFacts): string => (username.startsWith('@') ? username : name)

/**
 * Accounts a user may use on an asset, with actions and expiry: rules are combined by OR; `@ALL` means every active
 * account; `@USER` the accounts with the user's name, or a virtual one if there is none.
 */
export function permittedAccounts<A extends AccountFacts>(
  rules: readonly Rule[],
  accounts: readonly A[],
  username: string,
): Permitted<A>[] {
  const active = accounts.filter((account) => account.is_active)
  const byAlias = new Map<string, Share>()
  for (const rule of rules)
    for (const alias of new Set(rule.accounts))
      add(byAlias, alias, { actions: rule.actions, dateExpired: rule.date_expired, rules: new Set([rule.id]) })

  const everything = byAlias.get('@ALL')
  byAlias.delete('@ALL')
  if (everything && everything.actions !== 0)
    for (const name of new Set(active.map((account) => account.username))) add(byAlias, name, everything)

  const usernames = new Set(active.map((account) => account.username))
  const byUsername = new Map<string, Share>()
  const virtual = new Map<string, Share>()
  for (const [alias, share] of byAlias) {
    if (alias === '@USER' && usernames.has(username)) add(byUsername, username, share)
    else if (usernames.has(alias)) add(byUsername, alias, share)
    else if ((virtualAliases as readonly string[]).includes(alias)) add(virtual, alias, share)
  }
  const permitted = (alias: string, account: A | undefined, share: Share): Permitted<A> => ({
    alias,
    account,
    actions: share.actions,
    dateExpired: share.dateExpired,
    rules: [...share.rules],
  })
  return [
    ...active.flatMap((account) => {
      const share = byUsername.get(account.username)
      return share ? [permitted(aliasOf(account), account, share)] : []
    }),
    ...virtualAliases.flatMap((alias) => {
      const share = virtual.get(alias)
      return share ? [permitted(alias, undefined, share)] : []
    }),
  ]
}
