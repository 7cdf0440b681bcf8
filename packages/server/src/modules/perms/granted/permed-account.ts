import { accountAliases } from '@castellan/contract/choices/accounts'
import { permActions } from '@castellan/contract/choices/perms'
import { errors } from '@castellan/contract/messages/errors'
import type { Context } from '../../../kernel/module/context.ts'
import { badRequest, text } from '../../../kernel/module/errors.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import type { Row } from '../../../kernel/resource/resource.ts'
import { account } from '../../accounts/index.ts'
import { type Permitted, permittedAccounts, protocolPasses, type Rule, type VirtualAlias } from '../effective.ts'
import type { Subject } from '../subject.ts'
import { rulesFor } from '../valid-permissions.ts'

/** An account's row; its secret remains sealed. */
export type AccountRow = Row<typeof account>
export type PermedAccount = Permitted<AccountRow>

export interface Access {
  rules: readonly Rule[]
  accounts: readonly PermedAccount[]
}

/** A user's access to an asset now, regardless of the current organization; undefined when the asset is not granted. */
export async function accessTo(ctx: Context, user: Subject, assetId: string): Promise<Access | undefined> {
  const [rules, accounts] = await ctx.together(
    () => rulesFor(ctx, user.id, assetId),
    () => accountsOn(ctx, assetId),
  )
  return rules.length === 0 ? undefined : { rules, accounts: permittedAccounts(rules, accounts, user.username) }
}

/** The accounts stored for an asset, regardless of the current organization. */
export const accountsOn = (ctx: Context, assetId: string): Promise<AccountRow[]> =>
  findAll(ctx.acrossOrgs(), account, (query) =>
    query.where('t.asset_id', '=', assetId).orderBy('t.name').orderBy('t.id'),
  )

/**
 * The account with which a user may connect by a protocol now. Throws 400 `perm_account_invalid` when no permission
 * covers it or allows any action, 400 `perm_expired` when it has expired.
 */
export function permedAccount(
  ctx: Context,
  access: Access | undefined,
  { account: alias, protocol }: { account: string; protocol: string },
): PermedAccount {
  const found = access?.accounts.find((one) => one.alias === alias)
  if (!access || !found || found.actions === 0 || !protocolPasses(access.rules, protocol))
    throw badRequest(text(errors.perm_account_invalid), 'perm_account_invalid')
  if (found.dateExpired <= ctx.now) throw badRequest(text(errors.perm_expired), 'perm_expired')
  return found
}

/** A set of actions in wire form. */
export const actionsWire = (ctx: Context, actions: number) =>
  permActions
    .filter(({ bit }) => (actions & bit) !== 0)
    .map(({ value, label }) => ({ value, label: label[ctx.language] }))

/**
 * A permitted account in the detail of an asset. `bySudo`: the asset's platform switches accounts with sudo, which asks
 * for the first account's password; the second one needs none, so the user is not asked for it.
 */
export function permedAccountWire(
  ctx: Context,
  user: Subject,
  one: PermedAccount,
  bySudo: boolean,
  virtualId: () => string,
) {
  const { account: row, alias, actions } = one
  const username = row ? row.username : alias === '@USER' ? user.username : alias
  return {
    id: row?.id ?? virtualId(),
    alias,
    name: row?.name ?? accountAliases[alias as VirtualAlias][ctx.language],
    username,
    has_username: username !== '' && alias !== '@INPUT' && alias !== '@ANON',
    has_secret: Boolean(row?.secret || (bySudo && row?.su_from_id)),
    secret_type: row?.secret_type ?? 'password',
    actions: actionsWire(ctx, actions),
  }
}
