import { permActionBits, permActionLabels } from '@castellan/contract/choices/perms'
import { type Message, say } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { permsMessages } from '@castellan/contract/messages/perms'
import { usersMessages } from '@castellan/contract/messages/users'
import { normalUuid } from '../../../kernel/fields/index.ts'
import { defineRoute, type Handling } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { invalid, notFound, text } from '../../../kernel/module/errors.ts'
import { nameOf } from '../../../kernel/module/texts.ts'
import { findById, findOne } from '../../../kernel/resource/repository.ts'
import { findResource } from '../../../kernel/resource/resource.ts'
import { callerById } from '../../authentication/index.ts'
import { type AccountFacts, aliasOf } from '../effective.ts'
import { accountsOn, actionsWire } from '../granted/permed-account.ts'
import { asset } from '../granted/user-assets.ts'
import type { StoredPermission } from '../permission-fields.ts'
import { concernsAsset, concernsUser, keysAbove, ofOrganization, permissions, validNow } from '../valid-permissions.ts'
import { given, type JudgedRule, type Lack, missingIn, type Wish } from './why-rules.ts'

/** Maximum number of near matches reported; one that fits is enough. */
const mostNear = 5
/** Maximum number of permissions checked for that. */
const mostLookedAt = 200

const blockerTexts = {
  user_inactive: permsMessages.why_user_inactive,
  user_expired: permsMessages.why_user_expired,
  asset_inactive: permsMessages.why_asset_inactive,
  account_unknown: permsMessages.why_account_unknown,
  account_inactive: permsMessages.why_account_inactive,
} satisfies Record<string, Message>

const lackTexts = {
  inactive: permsMessages.why_inactive,
  not_started: permsMessages.why_not_started,
  expired: permsMessages.why_expired,
  account: permsMessages.why_account,
  protocol: permsMessages.why_protocol,
  action: permsMessages.why_action,
  user: permsMessages.why_user,
  asset: permsMessages.why_asset,
} satisfies Record<Lack | 'user' | 'asset', Message>

type Blocker = keyof typeof blockerTexts

interface Subject {
  id: string
  name: string
  username: string
  isActive: boolean
  isExpired: boolean
}

/** Only users of the current organization: the existence of others is not revealed. */
async function requestedUser(ctx: Context, query: Readonly<Record<string, string>>): Promise<Subject> {
  const { user, username } = query
  if (!user && !username) throw invalid({ user: [text(errors.required)] })
  const [column, value] = user ? (['t.id', normalUuid(user)] as const) : (['t.username', username] as const)
  const row = value && (await findOne(ctx, findResource('users.user'), (all) => all.where(column, '=', value)))
  const caller = row && (await callerById(ctx, String(row.id)))
  if (!caller) throw notFound(usersMessages.user)
  return caller
}

function wishOf(query: Readonly<Record<string, string>>): Wish & { name: keyof typeof permActionBits } {
  const name = (query.action || 'connect') as keyof typeof permActionBits
  if (!Object.hasOwn(permActionBits, name)) throw invalid({ action: [text(errors.not_a_choice, { input: name })] })
  return {
    name,
    action: permActionBits[name],
    account: query.account || undefined,
    protocol: query.protocol || undefined,
  }
}

const judged = (row: StoredPermission): JudgedRule & { name: string } => ({
  id: row.id,
  name: row.name,
  accounts: JSON.parse(row.accounts),
  protocols: JSON.parse(row.protocols),
  actions: Number(row.actions),
  date_start: Number(row.date_start),
  date_expired: Number(row.date_expired),
  is_active: Boolean(row.is_active),
})

type Named = ReturnType<typeof judged>

/** How permissions name a user and an asset: directly, by groups, by nodes. */
async function ways(ctx: Context, ids: readonly string[], userId: string, assetId: string, keys: readonly string[]) {
  if (ids.length === 0) return () => ({ user: [], asset: [] })
  const db = ctx.rawDb
  const [users, groups, things, nodes] = await Promise.all([
    db
      .selectFrom('perms_assetpermission_users as l')
      .innerJoin('users_user as r', 'r.id', 'l.user_id')
      .select(['l.assetpermission_id as permission', 'r.id', 'r.name'])
      .where('l.assetpermission_id', 'in', ids)
      .where('r.id', '=', userId)
      .execute(),
    db
      .selectFrom('perms_assetpermission_user_groups as l')
      .innerJoin('users_user_groups as m', 'm.usergroup_id', 'l.usergroup_id')
      .innerJoin('users_usergroup as r', 'r.id', 'l.usergroup_id')
      .select(['l.assetpermission_id as permission', 'r.id', 'r.name'])
      .where('l.assetpermission_id', 'in', ids)
      .where('m.user_id', '=', userId)
      .execute(),
    db
      .selectFrom('perms_assetpermission_assets as l')
      .innerJoin('assets_asset as r', 'r.id', 'l.asset_id')
      .select(['l.assetpermission_id as permission', 'r.id', 'r.name'])
      .where('l.assetpermission_id', 'in', ids)
      .where('r.id', '=', assetId)
      .execute(),
    db
      .selectFrom('perms_assetpermission_nodes as l')
      .innerJoin('assets_node as r', 'r.id', 'l.node_id')
      .select(['l.assetpermission_id as permission', 'r.id', 'r.full_value as name'])
      .where('l.assetpermission_id', 'in', ids)
      .where('r.key', 'in', keys.length > 0 ? keys : [''])
      .execute(),
  ])
  const of = (type: string, rows: readonly { permission: string; id: string; name: string }[], permission: string) =>
    rows.filter((row) => row.permission === permission).map(({ id, name }) => ({ type, id, name }))
  return (permission: string) => ({
    user: [...of('user', users, permission), ...of('group', groups, permission)],
    asset: [...of('asset', things, permission), ...of('node', nodes, permission)],
  })
}

/** Explains why a user may or may not access an asset: the granting rules, or the changes that would be needed. */
async function why({ ctx, request }: Handling): Promise<unknown> {
  const { query } = request
  const wish = wishOf(query)
  const id = normalUuid(query.asset) ?? ''
  const [person, row, keys, accounts] = await ctx.together(
    () => requestedUser(ctx, query),
    () => findById(ctx, asset, id),
    () => keysAbove(ctx, id),
    () => accountsOn(ctx, id),
  )
  if (!query.asset) throw invalid({ asset: [text(errors.required)] })
  if (!row) throw notFound(nameOf(asset))
  const onAsset = concernsAsset(id, keys)
  const forUser = concernsUser(person.id)
  const found = await permissions(ctx.rawDb)
    .selectAll('p')
    .$castTo<StoredPermission>()
    .where(onAsset)
    .where(forUser)
    .orderBy('p.name')
    .execute()
  const rules = found.map(judged)
  const missing = new Map(rules.map((rule) => [rule.id, missingIn(rule, wish, accounts, person.username, ctx.now)]))
  const valid = rules.filter((rule) => rule.is_active && rule.date_start < ctx.now && rule.date_expired > ctx.now)
  const blockers = blockersOf(person, row, accounts, wish)
  const permitted = given(valid, wish, accounts, person.username)
  const way = await ways(
    ctx,
    rules.map(({ id }) => id),
    person.id,
    id,
    keys,
  )
  const lack = (codes: readonly (keyof typeof lackTexts)[]) =>
    codes.map((value) => ({ value, label: say(lackTexts[value], ctx.language) }))
  const shown = (rule: Named) => ({
    id: rule.id,
    name: rule.name,
    accounts: rule.accounts,
    protocols: rule.protocols,
    actions: actionsWire(ctx, rule.actions),
    date_expired: new Date(rule.date_expired).toISOString(),
    through: way(rule.id),
    gives: missing.get(rule.id)?.length === 0,
    missing: lack(missing.get(rule.id) ?? []),
  })
  const near = permitted ? [] : await nearOnes(ctx, wish, person, accounts, [onAsset, forUser], [...missing.keys()])
  return {
    user: { id: person.id, name: person.name, username: person.username },
    asset: { id: row.id, name: row.name, address: row.address },
    account: wish.account ?? '',
    protocol: wish.protocol ?? '',
    action: { value: wish.name, label: say(permActionLabels[wish.name], ctx.language) },
    allowed: permitted && blockers.length === 0,
    permitted,
    blockers: blockers.map((value) => ({ value, label: say(blockerTexts[value], ctx.language) })),
    // Several rules can grant it together: one the account, another the protocol.
    rules: permitted ? valid.map(shown) : [],
    changes: [
      ...rules
        .filter(({ id }) => !permitted && (missing.get(id)?.length ?? 0) > 0)
        .map((rule) => ({
          permission: { id: rule.id, name: rule.name },
          missing: lack(missing.get(rule.id) ?? []),
        })),
      ...near.map(({ rule, code }) => ({ permission: { id: rule.id, name: rule.name }, missing: lack([code]) })),
    ].sort((a, b) => a.missing.length - b.missing.length),
  }
}

/** Obstacles that do not depend on permissions. */
function blockersOf(
  person: Subject,
  row: { is_active: boolean },
  accounts: readonly AccountFacts[],
  { account }: Wish,
): Blocker[] {
  const found: Blocker[] = []
  if (!person.isActive) found.push('user_inactive')
  if (person.isExpired) found.push('user_expired')
  if (!row.is_active) found.push('asset_inactive')
  if (account !== undefined && !account.startsWith('@')) {
    const named = accounts.filter((one) => aliasOf(one) === account)
    if (named.length === 0) found.push('account_unknown')
    else if (!named.some(({ is_active }) => is_active)) found.push('account_inactive')
  }
  return found
}

type Accounts = Awaited<ReturnType<typeof accountsOn>>
type Condition = ReturnType<typeof concernsUser>

/**
 * Valid permissions that would grant the access if they also named the user, or the asset. Those that name both are
 * `naming`.
 */
async function nearOnes(
  ctx: Context,
  wish: Wish,
  person: Subject,
  accounts: Accounts,
  [onAsset, forUser]: readonly [Condition, Condition],
  naming: readonly string[],
): Promise<{ rule: Named; code: 'user' | 'asset' }[]> {
  const all = permissions(ctx.rawDb)
    .selectAll('p')
    .$castTo<StoredPermission>()
    .where(validNow(ctx.now))
    .orderBy('p.name')
    .limit(mostLookedAt)
  const here = ctx.isRootOrg ? all : all.where(ofOrganization(ctx.orgId))
  const apart = naming.length > 0 ? here.where('p.id', 'not in', naming) : here
  const [others, elsewhere] = await Promise.all([apart.where(onAsset).execute(), apart.where(forUser).execute()])
  const fitting = (rows: readonly StoredPermission[], code: 'user' | 'asset') =>
    rows
      .map(judged)
      .filter((rule) => missingIn(rule, wish, accounts, person.username, ctx.now).length === 0)
      .slice(0, mostNear)
      .map((rule) => ({ rule, code }))
  return [...fitting(others, 'user'), ...fitting(elsewhere, 'asset')]
}

export const whyRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/perms/why/',
  requires: 'perms.view_assetpermission',
  summary: 'Why a user may access an asset, or which changes would be needed',
  handle: why,
})
