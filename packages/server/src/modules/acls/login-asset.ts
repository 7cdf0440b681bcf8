import { loginAclActions } from '@castellan/contract/choices/acls'
import { aclsMessages } from '@castellan/contract/messages/acls'
import { errors } from '@castellan/contract/messages/errors'
import type { Context } from '../../kernel/module/context.ts'
import { badRequest, text } from '../../kernel/module/errors.ts'
import { recordAction, type Verdict } from '../../kernel/resource/changes.ts'
import { findAll } from '../../kernel/resource/repository.ts'
import { defineResource, type Row } from '../../kernel/resource/resource.ts'
import { notifyUsers } from '../notifications/index.ts'
import type { TicketRow } from '../tickets/index.ts'
import {
  aclDates,
  aclFieldOrder,
  aclFields,
  aclHooks,
  aclOrder,
  assetFields,
  assetsFilter,
  usersFilter,
} from './acl-fields.ts'
import { namesAccount } from './command-filter.ts'
import { applies, loginRulesField } from './login-rules.ts'
import { reviewConnection, reviewersOf } from './reviews.ts'
import { assetSubject, userSubject } from './subjects.ts'

const table = 'acls_loginassetacl'
/** Time periods of rules are in the server's time zone. */
const serverZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * Restricts which users may connect to which assets with which accounts, by address and time, in addition to
 * permissions.
 */
export const loginAssetAcl = defineResource({
  app: 'acls',
  name: 'loginassetacl',
  path: 'login-asset-acls',
  scope: 'org',
  fields: {
    ...aclFields('loginassetacl', loginAclActions),
    ...assetFields(),
    rules: loginRulesField(),
    ...aclDates(),
  },
  unique: [['org_id', 'name']],
  search: ['name'],
  fieldOrder: aclFieldOrder,
  defaultOrder: aclOrder,
  filters: { users: usersFilter(table), assets: assetsFilter(table) },
  hooks: aclHooks,
})

/** A requested connection. */
export interface AssetLogin {
  userId: string
  /** `Name(username)`, for messages and logs. */
  userName: string
  assetId: string
  assetOrgId: string
  assetName: string
  /** Every name of the account. */
  accountNames: readonly string[]
  /** Undefined when unknown: then rules apply regardless of address and time. */
  ip: string | undefined
}

async function firstRule(ctx: Context, login: AssetLogin): Promise<Row<typeof loginAssetAcl> | undefined> {
  const active = await findAll(ctx.inOrg(login.assetOrgId), loginAssetAcl, (query) =>
    query.where('t.is_active', '=', true).orderBy('t.priority', 'desc').orderBy('t.name').orderBy('t.id'),
  )
  const rows = active.filter(
    (row) =>
      namesAccount(row.accounts, login.accountNames) &&
      (login.ip === undefined || applies(row.rules, login.ip, ctx.now, serverZone)),
  )
  // Loading both takes a dozen queries, so it is done only when there are rules.
  const asset = rows.length > 0 ? await assetSubject(ctx, login.assetId) : undefined
  const user = asset && (await userSubject(ctx, login.userId, asset.orgId))
  if (!asset || !user) return undefined
  for (const row of rows) {
    if (!(await user.isSelectedBy(row.users)) || !(await asset.isSelectedBy(row.assets))) continue
    // A review that nobody was ever asked to do does not apply.
    if (row.action === 'review' && (await reviewersOf(ctx, 'loginassetacl', row.id)).length === 0) continue
    return row
  }
  return undefined
}

async function tellReviewers(ctx: Context, row: Row<typeof loginAssetAcl>, login: AssetLogin): Promise<void> {
  const reviewers = await reviewersOf(ctx, 'loginassetacl', row.id)
  if (reviewers.length === 0) return
  await notifyUsers(ctx, reviewers, {
    subject: aclsMessages.asset_login_subject,
    body: aclsMessages.asset_login_body,
    values: {
      user: login.userName,
      asset: login.assetName,
      account: login.accountNames.join(', '),
      ip: login.ip ?? '-',
    },
  })
}

/** Logs the decision of a rule in the operate log of its organization. */
const record = (ctx: Context, row: Row<typeof loginAssetAcl>, login: AssetLogin): Promise<void> =>
  recordAction(ctx, loginAssetAcl, row.action as Verdict, row, {
    users: login.userName,
    assets: login.assetName,
    accounts: login.accountNames[0],
  })

/**
 * Allows or denies a connection by the first matching rule in order of priority; allows it when none matches. Returns
 * the ticket of a connection that may begin once it is approved. Throws 400 `acl_reject`, and `acl_review` when an
 * approval is needed and `review` is `refuse`. The decision is logged even if the connection fails later.
 */
export async function decideAssetLogin(
  ctx: Context,
  login: AssetLogin,
  review: 'open' | 'refuse',
): Promise<TicketRow | undefined> {
  const rule = await firstRule(ctx, login)
  if (!rule) return undefined
  const ticket = await ctx.transaction(async (inside) => {
    await record(inside, rule, login)
    if (rule.action === 'notice') await tellReviewers(inside, rule, login)
    return rule.action === 'review' && review === 'open'
      ? reviewConnection(inside, rule.id, { ...login, account: login.accountNames[0] ?? '' })
      : undefined
  })
  if (rule.action === 'reject') throw badRequest(text(errors.acl_reject), 'acl_reject')
  if (rule.action === 'review' && !ticket) throw badRequest(text(errors.acl_review), 'acl_review')
  return ticket
}
