import { loginAclActions } from '@castellan/contract/choices/acls'
import { aclsMessages } from '@castellan/contract/messages/acls'
import type { Context } from '../../kernel/module/context.ts'
import { recordAction, type Verdict } from '../../kernel/resource/changes.ts'
import { defineResource, type Row } from '../../kernel/resource/resource.ts'
import { notifyUsers } from '../notifications/index.ts'
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
import { loginRulesField } from './login-rules.ts'
import { reviewersOf } from './reviews.ts'

const table = 'acls_loginassetacl'

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

export type LoginAssetRule = Row<typeof loginAssetAcl>

/** A use of an account that a rule decided, for its log and its reviewers. */
export interface DecidedUse {
  /** `Name(username)`. */
  userName: string
  /** `Name(address)`. */
  assetName: string
  /** Every name of the account. */
  accountNames: readonly string[]
  /** Undefined when it is unknown. */
  ip: string | undefined
}

/**
 * Logs what a rule decided in the operate log of its organization, once for each use, and tells its reviewers where it
 * wants that, once for all of them. In a transaction.
 * @param isTold they know already
 */
export async function recordRule(
  ctx: Context,
  rule: LoginAssetRule,
  uses: readonly DecidedUse[],
  { isTold = false } = {},
): Promise<void> {
  for (const { userName, assetName, accountNames } of uses)
    await recordAction(ctx, loginAssetAcl, rule.action as Verdict, rule, {
      users: userName,
      assets: assetName,
      accounts: accountNames[0],
    })
  const [first] = uses
  const reviewers = rule.action === 'notice' && !isTold ? await reviewersOf(ctx, 'loginassetacl', rule.id) : []
  if (!first || reviewers.length === 0) return
  await notifyUsers(ctx, reviewers, {
    subject: aclsMessages.asset_login_subject,
    body: aclsMessages.asset_login_body,
    values: {
      user: first.userName,
      asset: [...new Set(uses.map(({ assetName }) => assetName))].join(', '),
      account: [...new Set(uses.flatMap(({ accountNames }) => accountNames))].join(', '),
      ip: first.ip ?? '-',
    },
  })
}
