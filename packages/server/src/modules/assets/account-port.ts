import type { Context } from '../../kernel/context.ts'
import type { AnyRow } from '../../kernel/fields/index.ts'
import { definePort } from '../../kernel/hooks.ts'

/** A credential for signing in to an asset, opened for one use. Never logged or returned. */
export interface LoginAccount {
  id: string
  name: string
  username: string
  secretType: string
  secret: string
}

/**
 * Functions that assets need from the accounts module, which depends on this one and registers them when it is loaded.
 */
export interface AccountPort {
  /** Creates the accounts sent inside an asset's body, once the asset is stored. */
  create(ctx: Context, sent: readonly { asset: AnyRow; accounts: readonly AnyRow[] }[]): Promise<void>
  /** Accounts in the detail of an asset. */
  shown(ctx: Context, assetIds: readonly unknown[]): Promise<Map<unknown, AnyRow[]>>
  /**
   * The account with which automations sign in: active, privileged first, those that worked before others; opened and
   * logged.
   */
  login(ctx: Context, assetId: string, accept: (account: AnyRow) => boolean): Promise<LoginAccount | undefined>
  /** The account for each gateway in wire form. Its secret is opened only for a component, which connects with it. */
  gateways(ctx: Context, gatewayIds: readonly unknown[]): Promise<Map<unknown, AnyRow>>
  /** Throws 403 unless the caller may see the secrets stored for these assets. */
  demandRedirect(ctx: Context, assetIds: readonly unknown[]): Promise<void>
  /** Stores whether an account worked. */
  verified(ctx: Context, accountId: string, ok: boolean): Promise<void>
}

export const accountPort = definePort<AccountPort>('assets.accounts')
