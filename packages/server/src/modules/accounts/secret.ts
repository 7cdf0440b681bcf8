import { recordAction } from '../../kernel/changes.ts'
import type { Context } from '../../kernel/context.ts'
import type { AnyRow } from '../../kernel/fields/index.ts'
import type { Resource } from '../../kernel/resource.ts'
import type { Sealed } from '../../kernel/secrets.ts'
import { account } from './account.ts'

/** Why a secret is opened: a person wants to read it, a component connects with it, an automation signs in with it. */
export type Purpose = 'reveal' | 'connect' | 'automation'

/**
 * The only door to an account's secret. What a person reads is an entry of the operate log; connections and automations
 * have records of their own, so those openings go to the program's log. Empty when nothing is stored.
 */
export async function openSecret(
  ctx: Context,
  row: AnyRow & { secret?: Sealed | null },
  purpose: Purpose,
  resource: Resource = account,
): Promise<string> {
  if (purpose === 'reveal') await ctx.transaction((inside) => recordAction(inside, resource, 'view', row))
  else ctx.services.log.info({ account: row.id, by: ctx.caller?.id, purpose }, 'a secret was opened')
  return row.secret ? ctx.services.vault.open(row.secret) : ''
}
