import { type GrantScope, isCovered, isInScope } from '../coverage.ts'

/** What is worth a look at a permission, in the order of the list. */
export const findingKinds = ['gives_nothing', 'expired', 'shadowed', 'wider'] as const
export type FindingKind = (typeof findingKinds)[number]

/** A permission with everything it is judged by. */
export interface Examined {
  readonly id: string
  readonly accounts: readonly string[]
  readonly protocols: readonly string[]
  readonly actions: number
  readonly is_active: boolean
  readonly date_start: number
  readonly date_expired: number
  readonly date_created: number
  readonly people: ReadonlySet<string>
  readonly reach: GrantScope
  /** How many assets it gives. */
  readonly assets: number
}

/** Ends this close are the same one: two permissions made after each other with the usual end. Milliseconds. */
const sameEnd = 86_400_000

const virtual = (alias: string) => alias === '@INPUT' || alias === '@USER' || alias === '@ANON'

/** Whether one list of accounts gives everything another does: `@ALL` stands for stored accounts, not for virtual ones. */
function accountsWithin(inner: readonly string[], outer: readonly string[]): boolean {
  const all = outer.includes('@ALL')
  return inner.every((alias) => alias === '@SPEC' || outer.includes(alias) || (all && !virtual(alias)))
}

/** Whether everything one permission gives now and later is given by the other one too. */
export function shadows(outer: Examined, inner: Examined): boolean {
  // The cheapest first: thousands of permissions are compared.
  return (
    inner.people.size <= outer.people.size &&
    inner.assets <= outer.assets &&
    outer.date_start <= Math.max(inner.date_start, Date.now()) &&
    outer.date_expired >= inner.date_expired - sameEnd &&
    (inner.actions & ~outer.actions) === 0 &&
    (outer.protocols.includes('all') || inner.protocols.every((name) => outer.protocols.includes(name))) &&
    accountsWithin(inner.accounts, outer.accounts) &&
    [...inner.people].every((person) => outer.people.has(person)) &&
    [...inner.reach.granted].every((node) => isCovered(outer.reach, node)) &&
    [...inner.reach.direct].every((asset) => isInScope(outer.reach, asset))
  )
}

/**
 * The permission that makes one superfluous, among valid ones that name one of its people. Of two that give the same
 * the older one stays.
 */
export function shadowOf(one: Examined, others: readonly Examined[]): Examined | undefined {
  const isOlder = (other: Examined) =>
    other.date_created < one.date_created || (other.date_created === one.date_created && other.id < one.id)
  return others.find((other) => other !== one && shadows(other, one) && (!shadows(one, other) || isOlder(other)))
}

/** Whom and what of a permission was used. */
export function usedOf(
  one: Examined,
  used: ReadonlyMap<string, readonly number[]>,
): { people: number; assets: number } {
  const assets = new Set<number>()
  let people = 0
  for (const person of one.people) {
    const on = (used.get(person) ?? []).filter((asset) => isInScope(one.reach, asset))
    if (on.length > 0) people += 1
    for (const asset of on) assets.add(asset)
  }
  return { people, assets: assets.size }
}
