/** What attributes of a provider become here. */
import { isObject, own } from '../../../kernel/fields/safe-lookup.ts'
import type { Identified } from '../../../kernel/security/sign-in.ts'

const taken = ['name', 'email', 'phone', 'comment'] as const

/** Characters of attribute names that are logged. */
const mostNamed = 1000

function textOf(value: unknown): string | undefined {
  const single = Array.isArray(value) ? value[0] : value
  if (typeof single === 'number') return String(single)
  return typeof single === 'string' && single.trim() !== '' ? single.trim() : undefined
}

/**
 * @param found attributes of the provider
 * @param mapping attributes of a user, by the provider's name of each: `{ username: 'preferred_username' }`
 * @returns undefined without a username
 */
export function mapped(
  found: unknown,
  mapping: Readonly<Record<string, string>>,
): Required<Pick<Identified, 'username' | 'attributes'>> | undefined {
  if (!isObject(found)) return undefined
  const foundFor = (name: string) => {
    const theirs = own(mapping, name)
    return typeof theirs === 'string' ? textOf(own(found, theirs)) : undefined
  }
  const username = foundFor('username')
  if (username === undefined) return undefined
  const attributes = Object.fromEntries(
    taken.flatMap((name) => {
      const value = foundFor(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  return { username, attributes }
}

/**
 * The same of a provider's last word. The names of what it gave are in the error, for the administrator who maps them.
 * @throws Error without a username
 */
export function demandMapped(
  found: unknown,
  mapping: Readonly<Record<string, string>>,
): Required<Pick<Identified, 'username' | 'attributes'>> {
  const person = mapped(found, mapping)
  if (person) return person
  const given = isObject(found) ? Object.keys(found).sort().join(', ').slice(0, mostNamed) : ''
  throw new Error(
    `No username was found as “${own(mapping, 'username') ?? ''}”. The provider gave: ${given || 'nothing'}.`,
  )
}

/** A mapping that names the provider's attribute first, as those of SAML and CAS. */
export const reversed = (renaming: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(renaming).map(([theirs, ours]) => [ours, theirs]))
