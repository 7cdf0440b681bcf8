import { loginAclActions } from '@castellan/contract/choices/acls'
import { aclsMessages } from '@castellan/contract/messages/acls'
import { errors } from '@castellan/contract/messages/errors'
import { recordAction, type Verdict } from '../../kernel/changes.ts'
import type { Context } from '../../kernel/context.ts'
import { badRequest, text } from '../../kernel/errors.ts'
import { linksOf } from '../../kernel/fields/index.ts'
import { findAll } from '../../kernel/repository.ts'
import { defineResource, type Row } from '../../kernel/resource.ts'
import { notifyUsers } from '../notifications/index.ts'
import { aclDates, aclFields, aclHooks, aclOrder, assetFields, assetsFilter, usersFilter } from './acl-fields.ts'
import { namesAccount } from './command-filter.ts'
import { applies, loginRulesField } from './login-rules.ts'
import { assetSubject, concerns, personSubject } from './subjects.ts'

const table = 'acls_loginassetacl'
/** Periods of rules are meant in the zone the server runs in. */
const serverZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Who may connect to which assets as whom, from where and when, beyond what permissions say. */
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
  defaultOrder: aclOrder,
  filters: { users: usersFilter(table), assets: assetsFilter(table) },
  hooks: aclHooks,
})

/** A connection somebody asks for. */
export interface AssetLogin {
  userId: string
  /** `Name(username)`, for messages and logs. */
  userName: string
  assetId: string
  assetOrgId: string
  assetName: string
  /** Every name the account goes by. */
  accountNames: readonly string[]
  /** Undefined where it is not known: then rules hold wherever a client is and whenever. */
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
  // Everything rules may ask about a person and an asset is a dozen questions: only where a rule may apply.
  const asset = rows.length > 0 ? await assetSubject(ctx, login.assetId) : undefined
  const person = asset && (await personSubject(ctx, login.userId, asset.orgId))
  return asset && person && rows.find((row) => concerns(row.users, person) && concerns(row.assets, asset))
}

async function tellReviewers(ctx: Context, row: Row<typeof loginAssetAcl>, login: AssetLogin): Promise<void> {
  const links = await linksOf(ctx, { table: `${table}_reviewers`, from: 'loginassetacl_id', to: 'user_id' }, [row.id])
  if (links.length === 0) return
  await notifyUsers(
    ctx,
    links.map((link) => link.user_id),
    {
      subject: aclsMessages.asset_login_subject,
      body: aclsMessages.asset_login_body,
      values: {
        user: login.userName,
        asset: login.assetName,
        account: login.accountNames.join(', '),
        ip: login.ip ?? '-',
      },
    },
  )
}

/** What a rule decided, in the operate log of its organization. */
const record = (ctx: Context, row: Row<typeof loginAssetAcl>, login: AssetLogin): Promise<void> =>
  recordAction(ctx, loginAssetAcl, row.action as Verdict, row, {
    users: login.userName,
    assets: login.assetName,
    accounts: login.accountNames[0],
  })

/**
 * Lets a connection pass by the first rule that applies to it, the highest priority first; without one it passes.
 * Throws 400 `acl_reject`. What a rule decided is in the operate log, whatever becomes of the connection.
 */
export async function decideAssetLogin(ctx: Context, login: AssetLogin): Promise<void> {
  const rule = await firstRule(ctx, login)
  if (!rule) return
  await ctx.transaction(async (inside) => {
    await record(inside, rule, login)
    if (rule.action === 'notice') await tellReviewers(inside, rule, login)
  })
  if (rule.action === 'reject') throw badRequest(text(errors.acl_reject), 'acl_reject')
  // Nobody can approve before there are tickets: what must be reviewed does not pass.
  if (rule.action === 'review') throw badRequest(text(errors.acl_review), 'acl_review')
}
