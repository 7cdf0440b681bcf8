import { aclsMessages } from '@castellan/contract/messages/acls'
import { noRow } from '../../db/text.ts'
import {
  boolean,
  choice,
  datetime,
  integer,
  longText,
  many,
  normalUuid,
  stringList,
  text,
} from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { text as say } from '../../kernel/module/errors.ts'
import type { Filter, HooksOf } from '../../kernel/resource/resource.ts'
import { writerField } from '../../kernel/resource/standard-fields.ts'
import type { Rule } from '../../kernel/rules/index.ts'
import { licenseState } from '../xpack/index.ts'
import { ruleField } from './rule-field.ts'
import { assetSubject, type Subject, selecting, userSubject } from './subjects.ts'

type Actions = Parameters<typeof choice>[0]

/** Approvals are an extended feature; without a valid license, new rules cannot demand them. */
export const offeredActions = (ctx: Context, action: string) => action !== 'review' || licenseState(ctx.services).valid

/**
 * Fields common to all kinds of rules, in wire order.
 * @param anyOrg the rules apply in every organization, and may name users of any
 */
export const aclFields = (name: string, actions: Actions, anyOrg = false) => ({
  name: text({ max: 128, required: true, filter: true }),
  /** 1–100; the higher value is evaluated first. */
  priority: integer({ min: 1, max: 100, default: 50 }),
  action: choice(actions, { default: 'reject', offers: offeredActions }),
  comment: longText(),
  created_by: writerField(),
  reviewers: many('users.user', {
    through: `acls_${name}_reviewers`,
    from: `${name}_id`,
    to: 'user_id',
    anyOrg,
  }),
  users: ruleField('users.user', anyOrg),
})

/** The order of their fields: the organization before who is concerned. */
export const aclFieldOrder = ['id', 'name', 'priority', 'action', 'comment', 'created_by', 'org_id'] as const

export const aclDates = () => ({
  is_active: boolean({ default: true }),
  date_created: datetime({ readOnly: true }),
  date_updated: datetime({ readOnly: true }),
})

export const assetFields = () => ({
  assets: ruleField('assets.asset'),
  accounts: stringList({ required: true }),
})

/** The order in which rules are listed and evaluated: higher priority first, active ones before others. */
export const aclOrder = ['-priority', '-is_active', 'name'] as const

/** Filters rules that match a user or an asset; an unknown one matches none. */
const byRule =
  (
    column: 'users' | 'assets',
    find: (ctx: Context, value: string) => Promise<Subject | undefined>,
    table: string,
  ): Filter =>
  async (ctx, query, value) => {
    const subject = await find(ctx, value)
    if (!subject) return query.where(noRow)
    const rows = await ctx.acrossOrganizations.selectFrom(table).select(['id', column]).execute()
    const selected = await selecting(rows, (row) => [[JSON.parse(row[column]) as Rule, subject]])
    const ids = selected.map((row) => row.id)
    return ids.length > 0 ? query.where('t.id', 'in', ids) : query.where(noRow)
  }

async function findUser(ctx: Context, value: string): Promise<Subject | undefined> {
  const id = normalUuid(value)
  const row = await ctx.rawDb
    .selectFrom('users_user')
    .select('id')
    .where((eb) => (id ? eb('id', '=', id) : eb.or([eb('name', '=', value), eb('username', '=', value)])))
    .executeTakeFirst()
  return row && userSubject(ctx, row.id, ctx.orgId)
}

async function findAsset(ctx: Context, value: string): Promise<Subject | undefined> {
  const id = normalUuid(value)
  let query = ctx.acrossOrganizations
    .selectFrom('assets_asset')
    .select('id')
    .where((eb) => (id ? eb('id', '=', id) : eb.or([eb('name', '=', value), eb('address', '=', value)])))
  if (!ctx.isRootOrg) query = query.where('org_id', '=', ctx.orgId)
  const row = await query.executeTakeFirst()
  return row && assetSubject(ctx, row.id)
}

export const usersFilter = (table: string): Filter => byRule('users', findUser, table)
export const assetsFilter = (table: string): Filter => byRule('assets', findAsset, table)

/** The users allowed to review in the caller's organization; all except components in the root view. */
async function mayReview(ctx: Context, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await ctx.rawDb
    .selectFrom('users_user as u')
    .select('u.id')
    .where('u.id', 'in', ids)
    .where('u.is_service_account', '=', false)
    .where((eb) =>
      ctx.isRootOrg
        ? eb.lit(true)
        : eb('u.id', 'in', eb.selectFrom('rbac_rolebinding').select('user_id').where('org_id', '=', ctx.orgId)),
    )
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Reviewers must belong to the organization, and a review needs at least one. */
export const aclHooks: HooksOf<ReturnType<typeof aclFields>> = {
  async validate(ctx, changes, problem) {
    for (const change of changes) {
      if (change.row.action !== 'review') continue
      const sent = change.values.reviewers
      if (!sent) continue
      const able = await mayReview(ctx, sent)
      change.values.reviewers = sent.filter((id) => able.has(id))
      if (able.size === 0) problem(change.index, 'reviewers', [say(aclsMessages.reviewers_required)])
    }
  },
}
