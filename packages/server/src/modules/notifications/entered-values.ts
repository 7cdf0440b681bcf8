import { errors } from '@castellan/contract/messages/errors'
import { settingsMessages } from '@castellan/contract/messages/settings'
import { own } from '../../kernel/fields/safe-lookup.ts'
import type { Context } from '../../kernel/module/context.ts'
import { Problems, Rejected, text } from '../../kernel/module/errors.ts'
import { Sealed } from '../../kernel/security/secrets.ts'
import type { Setting } from '../../kernel/settings/setting-groups.ts'

/** Settings of a service that messages go through, by name, the secrets opened. */
export type ServiceValues = Readonly<Record<string, unknown>>

/** Settings that are entered together, or come from the environment. */
interface Group {
  readonly settings: object
}

const settingsOf = (group: Group) => Object.values(group.settings) as Setting[]

/** A value as text; empty for anything else. */
export const wordIn = (values: ServiceValues, name: string): string => {
  const value = values[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** The stored values of a service. */
export function storedValues(ctx: Context, ...groups: readonly Group[]): Record<string, unknown> {
  return Object.fromEntries(
    groups.flatMap(settingsOf).map((setting) => {
      const value: unknown = setting.of(ctx)
      return [setting.name, value instanceof Sealed ? ctx.services.vault.open(value) : value]
    }),
  )
}

/** Values of a form over the stored ones. Throws 400 by field, and for a stored secret that would go elsewhere. */
export function testedValues(
  ctx: Context,
  entered: Group,
  addresses: Group,
  body: Readonly<Record<string, unknown>>,
): ServiceValues {
  const values = storedValues(ctx, entered, addresses)
  const problems = new Problems()
  const changed = new Set<string>()
  const settings = settingsOf(entered)
  for (const { name, field, secret } of settings) {
    const sent = own(body, name)
    if (sent === undefined || (secret && (sent === '' || sent === null))) {
      if (field.required && !values[name]) problems.add(name, text(errors.required))
      continue
    }
    try {
      const parsed: unknown = sent === null ? null : field.parse?.(sent, ctx)
      const value = parsed instanceof Sealed ? ctx.services.vault.open(parsed) : parsed
      if (JSON.stringify(value) !== JSON.stringify(values[name])) changed.add(name)
      values[name] = value
    } catch (error) {
      if (!(error instanceof Rejected)) throw error
      problems.add(name, error.problem)
    }
  }
  for (const { name, sentTo } of settings)
    if (!changed.has(name) && values[name] && sentTo.some((one) => changed.has(one)))
      problems.add(name, text(settingsMessages.secret_again))
  problems.throwIfAny()
  return values
}

/** Why a provider was not reached or did not accept: what it said, otherwise the kind of failure. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 300)
