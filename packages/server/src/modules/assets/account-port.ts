import type { StoredRow } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { definePort } from '../../kernel/module/hooks.ts'

/** A credential for signing in to an asset, opened for one use. Never logged or returned. */
export interface LoginAccount {
  id: string
  name: string
  username: string
  secretType: string
  secret: string
}

/** How an asset let an account sign in. */
export interface SignedIn {
  username: string
  port: number
  /** The gateway that was used. */
  via: string | undefined
}

/**
 * Functions that assets need from the accounts module, which depends on this one and registers them when it is loaded.
 */
export interface AccountPort {
  /** Creates the accounts sent inside an asset's body, once the asset is stored. */
  create(
    ctx: Context,
    sent: readonly { asset: { id: string; org_id: string; platform_id: number }; accounts: readonly StoredRow[] }[],
  ): Promise<void>
  /** Accounts in the detail of an asset. */
  shown(ctx: Context, assetIds: readonly unknown[]): Promise<Map<unknown, StoredRow[]>>
  /**
   * The account with which automations sign in: active, privileged first, those that worked before others; opened and
   * logged. `prefersRoot`: root and Administrator before all others, for what only they can read.
   */
  login(
    ctx: Context,
    assetId: string,
    accept: (account: { secret_type: string }) => boolean,
    options?: { prefersRoot?: boolean },
  ): Promise<LoginAccount | undefined>
  /** The account for each gateway in wire form. Its secret is opened only for a component, which connects with it. */
  gateways(ctx: Context, gatewayIds: readonly unknown[]): Promise<Map<unknown, StoredRow>>
  /** The account with which a gateway is signed in to, as for components; opened and logged. */
  gatewayLogin(ctx: Context, gatewayId: string): Promise<LoginAccount | undefined>
  /**
   * Throws 403 unless the caller may see the secrets stored for these assets.
   * @param keepsSecret one of them stores a secret of its own
   */
  demandRedirect(ctx: Context, assetIds: readonly unknown[], keepsSecret?: boolean): Promise<void>
  /** Gives the secrets that assets have to the decisions about them as they are now. */
  entrust(ctx: Context, assetIds: readonly string[]): Promise<void>
  /** Number of accounts, on the assets of a platform in all organizations, that are reached through another account. */
  switching(ctx: Context, platformId: unknown): Promise<number>
  /**
   * Signs in to an asset by a method of the catalogue, as `login` would, and stores whether the account worked. Undefined
   * when nothing carries out the method, or there is no account for it. Throws `TargetFailure`.
   */
  signIn(ctx: Context, assetId: string, method: string, signal: AbortSignal): Promise<SignedIn | undefined>
  /** Stores whether an account worked. */
  verified(ctx: Context, accountId: string, ok: boolean): Promise<void>
}

export const accountPort = definePort<AccountPort>('assets.accounts')
