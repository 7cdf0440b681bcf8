import { randomUUID } from 'node:crypto'
import { accountAliases } from '@castellan/contract/choices/accounts'
import { errors } from '@castellan/contract/messages/errors'
import type { StoredRow } from '../../kernel/fields/field.ts'
import type { Caller, Context } from '../../kernel/module/context.ts'
import { failure, text } from '../../kernel/module/errors.ts'
import { recordAction } from '../../kernel/resource/changes.ts'
import { findById } from '../../kernel/resource/repository.ts'
import { readableFields, serialize } from '../../kernel/resource/serialize.ts'
import { organizationNames } from '../../kernel/resource/standard-fields.ts'
import type { AccountRow } from '../accounts/index.ts'
import { account as accountResource, secretToSend, secretTypeWire } from '../accounts/index.ts'
import type { AssetRow } from '../assets/index.ts'
import {
  asset as assetResource,
  domainOf,
  openedDetails,
  type Platform,
  platform as platformResource,
  platformsById,
  protocolsOf,
  shownDetails,
} from '../assets/index.ts'
import { actionsWire, type PermedAccount, type Subject } from '../perms/index.ts'
import { connectMethod } from '../terminal/index.ts'
import { appletMethodOf } from './applet-option.ts'
import { gatewaysOf } from './gateway-choice.ts'
import { mayBeReused, standingOf } from './lifetime.ts'
import { connectionToken, type TokenRow } from './token.ts'

/** Consumes a single-use token; 403 when another request was faster. */
async function useUp(ctx: Context, token: TokenRow): Promise<void> {
  const used = await ctx.rawDb
    .updateTable(connectionToken.table)
    .set({ date_expired: ctx.now, date_updated: ctx.now })
    .where('id', '=', token.id)
    // Compares with the value that was read, so that of concurrent requests only one succeeds, whatever their
    // timestamps.
    .where('date_expired', '=', token.date_expired)
    .returning('id')
    .executeTakeFirst()
  if (!used) throw failure(403, 'permission_denied', text(errors.token_invalid))
}

const opened = (ctx: Context, token: TokenRow) =>
  token.input_secret ? ctx.services.vault.open(token.input_secret) : ''

/** The secrets opened for one connection: accounts and protocol. */
interface Opening {
  protocol: string
  accounts: AccountRow[]
  /** No secret is opened: the caller only verifies the token. */
  closed: boolean
}

async function open(ctx: Context, opening: Opening, row: AccountRow): Promise<string> {
  if (opening.closed) return ''
  if (row.secret) opening.accounts.push(row)
  return secretToSend(ctx, row, opening.protocol)
}

/**
 * The account with which a session signs in before switching to this one; null without one or when the platform does
 * not support switching.
 */
async function switchFrom(
  ctx: Context,
  row: AccountRow,
  platform: Platform,
  opening: Opening,
): Promise<StoredRow | null> {
  if (!platform.su_enabled || !row.su_from_id) return null
  const from = await findById(ctx.acrossOrgs(), accountResource, row.su_from_id)
  // The secret of another asset's account is never sent to this one.
  if (!from?.is_active || from.asset_id !== row.asset_id) return null
  return {
    name: from.name,
    username: from.username,
    secret_type: secretTypeWire(ctx, from.secret_type),
    secret: await open(ctx, opening, from),
  }
}

async function credential(
  ctx: Context,
  token: TokenRow,
  user: Subject,
  permed: PermedAccount,
  platform: Platform,
  opening: Opening,
) {
  const row = permed.account
  const typed = opening.closed ? '' : opened(ctx, token)
  if (row)
    return {
      id: row.id,
      name: row.name,
      username: row.username,
      secret_type: secretTypeWire(ctx, row.secret_type),
      secret: row.secret ? await open(ctx, opening, row) : typed,
      su_from: await switchFrom(ctx, row, platform, opening),
      privileged: row.privileged,
    }
  const alias = permed.alias as '@INPUT' | '@USER' | '@ANON'
  return {
    id: randomUUID(),
    name: accountAliases[alias][ctx.language],
    username: alias === '@INPUT' ? token.input_username : alias === '@USER' ? user.username : alias,
    secret_type: secretTypeWire(ctx, 'password'),
    secret: alias === '@ANON' ? '' : typed,
    su_from: null,
    privileged: false,
  }
}

/** Logs the accounts opened for a connection, once for all secrets, with the user the component acts for. */
async function recordOpening(
  ctx: Context,
  {
    user,
    token,
    asset,
    opening,
    session,
  }: {
    user: Caller
    token: TokenRow
    asset: AssetRow
    opening: Opening
    session: string | undefined
  },
): Promise<void> {
  const [account, ...others] = opening.accounts
  if (opening.closed || (!account && !asset.client_key)) return
  const about = {
    asset: assetResource.displayOf(asset),
    protocol: token.protocol,
    component: ctx.me.name,
    connection_token: token.id,
    session: session ?? '',
    further_accounts: others.map((row) => accountResource.displayOf(row)),
  }
  const acting = ctx.actingFor(user)
  if (account) await recordAction(acting, accountResource, 'connect', account, about)
  else await recordAction(acting, assetResource, 'connect', asset, about)
}

async function assetPart(ctx: Context, row: AssetRow, closed: boolean): Promise<StoredRow> {
  const [shown] = await serialize(ctx, assetResource, [row], ['spec_info'])
  const secretInfo =
    row.category === 'database'
      ? {
          ca_cert: row.spec?.ca_cert ?? '',
          client_cert: row.spec?.client_cert ?? '',
          client_key: row.client_key && !closed ? ctx.services.vault.open(row.client_key) : '',
        }
      : {}
  return {
    id: row.id,
    name: row.name,
    address: row.address,
    protocols: (await protocolsOf(ctx, [row.id])).get(row.id) ?? [],
    category: row.category,
    type: row.type,
    org_id: row.org_id,
    info: closed ? shownDetails(row) : openedDetails(ctx, row),
    secret_info: secretInfo,
    spec_info: shown?.spec_info ?? {},
  }
}

async function platformPart(ctx: Context, platform: Platform): Promise<StoredRow> {
  const fields = readableFields(ctx, platformResource).filter((name) => name !== 'automation')
  return (await serialize(ctx, platformResource, [platform], fields))[0] ?? {}
}

export interface SecretWish {
  /** Undefined: depends on the type of asset and the settings. */
  expireNow: boolean | undefined
  /** The session the component is about to begin, if it says so. */
  session: string | undefined
  /** All gateways of the domain, instead of one: the component chooses among them. */
  gateways: boolean
}

/**
 * The data of one connection for a component, including the credential. Throws 403 when the token is no longer valid.
 * Consumes a single-use token.
 * @param wish `look`: the same without any secret, and without consuming the token
 */
export async function tokenSecret(ctx: Context, token: TokenRow, wish: SecretWish | 'look'): Promise<StoredRow> {
  const closed = wish === 'look'
  const { expireNow, session } = closed ? { expireNow: false, session: undefined } : wish
  const { user, use, caller } = await standingOf(ctx, token)
  const { account } = use
  const everywhere = ctx.acrossOrgs()
  const asset = (await findById(everywhere, assetResource, token.asset_id)) as AssetRow
  const platform = (await platformsById(everywhere)).get(asset.platform_id)
  if (!platform) throw new Error(`Asset ${asset.id} has no platform.`)
  const over = expireNow ?? (asset.type !== 'k8s' && !mayBeReused(ctx))
  if (over && !(token.is_reusable && mayBeReused(ctx))) await useUp(ctx, token)
  const domain = await domainOf(everywhere, asset)
  const opening: Opening = { protocol: token.protocol, accounts: [], closed }
  // Secrets are opened on behalf of the user at the component.
  const acting = ctx.actingFor(caller)
  const signIn = await credential(acting, token, user, account, platform, opening)
  const chosen = { everyOne: !closed && wish.gateways, opened: opening.accounts }
  const place = domain && !closed ? { ...domain, org_id: asset.org_id } : undefined
  const gateways = place ? await gatewaysOf(acting.acrossOrgs(), place, chosen) : []
  await recordOpening(ctx, { user: caller, token, asset, opening, session })
  return {
    id: token.id,
    value: token.value ? ctx.services.vault.open(token.value) : '',
    user: { id: user.id, name: user.name, username: user.username, email: user.email },
    asset: await assetPart(everywhere, asset, opening.closed),
    account: signIn,
    platform: await platformPart(everywhere, platform),
    protocol: token.protocol,
    domain,
    gateway: gateways[0] ?? null,
    ...(chosen.everyOne ? { gateways } : {}),
    command_filter_acls: use.commandFilters,
    actions: actionsWire(ctx, account.actions),
    expire_at: Math.floor(account.dateExpired / 1000),
    from_ticket: token.from_ticket_id,
    connect_method:
      connectMethod(ctx, token.protocol, token.connect_method) ??
      (await appletMethodOf(ctx, token.connect_method)) ??
      null,
    connect_options: token.connect_options,
    org_id: asset.org_id,
    org_name: (await organizationNames(ctx)).get(asset.org_id) ?? '',
  }
}
