import { errors } from '@castellan/contract/messages/errors'
import type { StoredRow } from '../../kernel/fields/field.ts'
import type { Context } from '../../kernel/module/context.ts'
import { ApiError, badRequest, invalid, render, text } from '../../kernel/module/errors.ts'
import { recordSaves } from '../../kernel/resource/changes.ts'
import { insertRow } from '../../kernel/resource/repository.ts'
import { randomText } from '../../kernel/security/random.ts'
import { AccountUses, refusedMethods, settleConnection } from '../acls/index.ts'
import { accessTo, type PermedAccount, permedAccount, type Subject } from '../perms/index.ts'
import { longestWait, type TicketRow } from '../tickets/index.ts'
import { expiryOf, mayBeReused, refusedUse, usedBy } from './lifetime.ts'
import { connectionToken, type TokenRow } from './token.ts'

/** The request for a token. */
export interface Wanted {
  asset: string
  account: string
  protocol: string
  connect_method: string
  connect_options: StoredRow
  input_username: string
  input_secret: string
  is_reusable: boolean
}

/** From where a connection is requested, and whether a rule that demands an approval opens its ticket. */
export interface Asking {
  ip: string
  review: 'open' | 'refuse'
}

/** A list of sentences, the shape of errors without a field. */
const refusal = (message: Parameters<typeof text>[0]) =>
  new ApiError(400, 'refused', (language) => [render(text(message), language)])

/** The user's preferences for file transfers and terminals are sent with every token. */
async function chosenOptions(ctx: Context, userId: string): Promise<StoredRow> {
  const options: StoredRow = { file_name_conflict_resolution: 'replace', terminal_theme_name: 'Default' }
  const rows = await ctx.rawDb
    .selectFrom('users_preference')
    .select(['name', 'value'])
    .where('user_id', '=', userId)
    .where('name', 'in', Object.keys(options))
    .execute()
  for (const { name, value } of rows) options[name] = JSON.parse(value)
  return options
}

/**
 * Creates a token after all checks: existing asset, anonymous accounts only where supported, permission, rules for
 * connecting. Throws 400 with `perm_account_invalid`, `perm_expired`, `acl_reject` or `acl_review`.
 */
export async function createToken(
  ctx: Context,
  user: Subject,
  wanted: Wanted,
  { ip, review }: Asking,
): Promise<TokenRow> {
  const [asset, access, refused, chosen] = await ctx.together(
    () =>
      ctx.acrossOrganizations
        .selectFrom('assets_asset')
        .select(['id', 'name', 'address', 'category', 'org_id', 'is_active'])
        .where('id', '=', wanted.asset)
        .executeTakeFirst(),
    () => accessTo(ctx, user, wanted.asset),
    () => refusedMethods(ctx, user.id),
    () => chosenOptions(ctx, user.id),
  )
  if (!asset) throw invalid({ asset: [text(errors.does_not_exist, { pk: wanted.asset })] })
  if (wanted.account === '@ANON' && !['web', 'custom'].includes(asset.category))
    throw refusal(errors.anonymous_not_supported)
  // Says exactly what is wrong with the account; whether it may be used is decided below.
  permedAccount(ctx, access, wanted)
  if (!asset.is_active) throw badRequest(text(errors.asset_inactive), 'perm_account_invalid')
  if (refused.has(wanted.connect_method)) throw badRequest(text(errors.acl_reject), 'acl_reject')
  const login = {
    userId: user.id,
    userName: `${user.name}(${user.username})`,
    assetId: asset.id,
    assetOrgId: asset.org_id,
    assetName: `${asset.name}(${asset.address})`,
    ip,
  }
  const sent = { ...wanted, connect_options: { ...wanted.connect_options, ...chosen } }
  const uses = new AccountUses(ctx, { user, ip })
  const { use, ticket } = await settleConnection(ctx, login, review, () =>
    uses.of(usedBy(wanted, asset, access)).catch(refusedUse),
  )
  return ctx.transaction((inside) => store(inside, user, asset, { permed: use.account, ip }, sent, ticket))
}

async function store(
  ctx: Context,
  user: Subject,
  asset: { id: string; name: string; address: string; org_id: string },
  { permed, ip }: { permed: PermedAccount; ip: string },
  wanted: Wanted,
  ticket: TicketRow | undefined,
): Promise<TokenRow> {
  // An approval allows one connection.
  const reusable = !ticket && wanted.is_reusable && mayBeReused(ctx)
  const row = await insertRow(ctx, connectionToken, {
    value: randomText(16),
    user_id: user.id,
    asset_id: asset.id,
    account: wanted.account,
    input_username: wanted.account === '@INPUT' ? wanted.input_username : '',
    // The stored secret is used, so a typed one is not stored.
    input_secret: permed.account?.secret ? null : wanted.input_secret || null,
    connect_method: wanted.connect_method,
    connect_options: wanted.connect_options,
    protocol: wanted.protocol,
    actions: permed.actions,
    asset_org_id: asset.org_id,
    asked_from: ip,
    user_display: `${user.name}(${user.username})`,
    asset_display: `${asset.name}(${asset.address})`,
    is_active: !ticket,
    from_ticket_id: ticket?.id ?? null,
    is_reusable: reusable,
    date_expired: ticket ? ctx.now + longestWait : expiryOf(ctx, reusable),
  })
  const change = { mode: 'create' as const, partial: false, before: undefined, row, values: {}, input: {}, index: 0 }
  await recordSaves(ctx, connectionToken, [change])
  return row
}

/** A new token like an existing one of the caller, even if expired; permission and rules are checked again. */
export async function exchangeToken(ctx: Context, old: TokenRow, review: Asking['review']): Promise<TokenRow> {
  if (!old.asset_id) throw invalid({ asset: [text(errors.required)] })
  return createToken(
    ctx,
    ctx.me,
    {
      asset: old.asset_id,
      account: old.account,
      protocol: old.protocol,
      connect_method: old.connect_method,
      connect_options: old.connect_options,
      input_username: old.input_username,
      input_secret: old.input_secret ? ctx.services.vault.open(old.input_secret) : '',
      is_reusable: old.is_reusable,
    },
    { ip: ctx.ip, review },
  )
}
