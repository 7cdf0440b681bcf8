import type { Context } from '../../kernel/context.ts'
import type { AnyRow } from '../../kernel/fields/index.ts'
import { definePort } from '../../kernel/hooks.ts'

/** A credential for signing in to an asset, opened for one use. Never logged, never answered. */
export interface LoginAccount {
  id: string
  name: string
  username: string
  secretType: string
  secret: string
}

/** What assets need of accounts. The accounts module stands on this one, so it hands these over when it is loaded. */
export interface AccountPort {
  /** Makes the accounts sent inside an asset's body, once the asset is stored. */
  create(ctx: Context, sent: readonly { asset: AnyRow; accounts: readonly AnyRow[] }[]): Promise<void>
  /** Accounts of assets as an asset's detail shows them. */
  shown(ctx: Context, assetIds: readonly unknown[]): Promise<Map<unknown, AnyRow[]>>
  /** The account automations sign in with: active, privileged first, those that worked before others; opened and recorded. */
  login(ctx: Context, assetId: string, accept: (account: AnyRow) => boolean): Promise<LoginAccount | undefined>
  /**
   * The account that opens each gateway, as the wire has it. Its secret is opened for a component, which
   * connects with it; nobody else is told.
   */
  gateways(ctx: Context, gatewayIds: readonly unknown[]): Promise<Map<unknown, AnyRow>>
  /** Throws 403 unless the caller may see the secrets stored for these assets. */
  demandRedirect(ctx: Context, assetIds: readonly unknown[]): Promise<void>
  /** Remembers whether an account worked. */
  verified(ctx: Context, accountId: string, ok: boolean): Promise<void>
}

export const accountPort = definePort<AccountPort>('assets.accounts')
