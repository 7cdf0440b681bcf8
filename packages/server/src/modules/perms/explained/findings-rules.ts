import { type GrantScope, isCovered, isInScope } from '../coverage.ts'

/** Kinds of findings about a permission, in the order of the list. */
export const findingKinds = ['gives_nothing', 'expired', 'shadowed', 'wider'] as const
export type FindingKind = (typeof findingKinds)[number]

/** A permission with all data for its evaluation. */
export interface Examined {
  readonly id: string
  readonly accounts: readonly string[]
  readonly protocols: readonly string[]
  readonly actions: number
  readonly is_active: boolean
  readonly date_start: number
  readonly date_expired: number
  readonly date_created: number
  readonly users: ReadonlySet<string>
  readonly reach: GrantScope
  /** The number of assets in its scope. */
  readonly assets: number
}

/**
 * Expiry dates this close count as equal: two permissions created one after the other with the default expiry.
 * Milliseconds.
 */
const sameEnd = 86_400_000

const virtual = (alias: string) => alias === '@INPUT' || alias === '@USER' || alias === '@ANON'

/** Whether one list of accounts includes another: `@ALL` includes stored accounts, but no virtual ones. */
function accountsWithin(inner: readonly string[], outer: readonly string[]): boolean {
  const all = outer.includes('@ALL')
  return inner.every((alias) => alias === '@SPEC' || outer.includes(alias) || (all && !virtual(alias)))
}

/** Whether one permission grants everything that another grants, now and later. */
export function shadows(outer: Examined, inner: Examined): boolean {
  // Cheapest comparison first: thousands of permissions are compared.
  return (
    inner.users.size <= outer.users.size &&
    inner.assets <= outer.assets &&
    outer.date_start <= Math.max(inner.date_start, Date.now()) &&
    outer.date_expired >= inner.date_expired - sameEnd &&
    (inner.actions & ~outer.actions) === 0 &&
    (outer.protocols.includes('all') || inner.protocols.every((name) => outer.protocols.includes(name))) &&
    accountsWithin(inner.accounts, outer.accounts) &&
    [...inner.users].every((user) => outer.users.has(user)) &&
    [...inner.reach.granted].every((node) => isCovered(outer.reach, node)) &&
    [...inner.reach.direct].every((asset) => isInScope(outer.reach, asset))
  )
}

/**
 * The permission that makes one superfluous, among valid ones that name one of its users. Of two equal ones the newer
 * is superfluous.
 */
export function shadowOf(one: Examined, others: readonly Examined[]): Examined | undefined {
  const isOlder = (other: Examined) =>
    other.date_created < one.date_created || (other.date_created === one.date_created && other.id < one.id)
  return others.find((other) => other !== one && shadows(other, one) && (!shadows(one, other) || isOlder(other)))
}

/** The users and assets of a permission that were actually used. */
export function usedOf(one: Examined, used: ReadonlyMap<string, readonly number[]>): { users: number; assets: number } {
  const assets = new Set<number>()
  let users = 0
  for (const user of one.users) {
    const on = (used.get(user) ?? []).filter((asset) => isInScope(one.reach, asset))
    if (on.length > 0) users += 1
    for (const asset of on) assets.add(asset)
  }
  return { users, assets: assets.size }
}
