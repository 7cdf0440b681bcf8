import { accountAliases } from '@castellan/contract/choices/accounts'
import { commandAclActions } from '@castellan/contract/choices/acls'
import type { FilterAction, FilterGroup, FilterRule } from '@castellan/contract/command-rules/command-filter'
import { type Link, linksOf, many } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { decoded, findAll } from '../../kernel/resource/repository.ts'
import { defineResource, type Row } from '../../kernel/resource/resource.ts'
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
import { commandGroup } from './command-group.ts'
import { type CommandGroupType, commandPattern } from './pattern.ts'
import { assetSubject, selecting, userSubject } from './subjects.ts'

const table = 'acls_commandfilteracl'
const groupLinks = { table: `${table}_groups`, from: 'commandfilteracl_id', to: 'commandgroup_id' } as const
const reviewerLinks = { table: `${table}_reviewers`, from: 'commandfilteracl_id', to: 'user_id' } as const

/** Applies to commands of some groups, typed by some users on some assets with some accounts. */
export const commandFilterAcl = defineResource({
  app: 'acls',
  name: 'commandfilteracl',
  path: 'command-filter-acls',
  scope: 'org',
  fields: {
    ...aclFields('commandfilteracl', commandAclActions),
    ...assetFields(),
    command_groups: many('acls.commandgroup', {
      through: groupLinks.table,
      from: groupLinks.from,
      to: groupLinks.to,
    }),
    ...aclDates(),
  },
  unique: [['org_id', 'name']],
  search: ['name'],
  fieldOrder: aclFieldOrder,
  defaultOrder: aclOrder,
  filters: { users: usersFilter(table), assets: assetsFilter(table) },
  hooks: aclHooks,
})

/** A command rule as sent to a component with a session. */
export interface CommandFilter extends FilterRule {
  reviewers: { id: string; name: string }[]
  command_groups: (FilterGroup & { type: string; content: string })[]
}

/** Whether a rule's list of accounts contains one of the names of an account. */
export const namesAccount = (accounts: readonly string[], names: readonly string[]): boolean =>
  accounts.some((item) => item === '@ALL' || item === '*' || names.includes(item))

async function groupsById(ctx: Context, ids: readonly unknown[]): Promise<Row<typeof commandGroup>[]> {
  if (ids.length === 0) return []
  const rows = await ctx.acrossOrganizations.selectFrom(commandGroup.table).selectAll().where('id', 'in', ids).execute()
  return rows.map((row) => decoded(commandGroup, row))
}

async function namesById(ctx: Context, ids: readonly unknown[]): Promise<{ id: string; name: string }[]> {
  return ids.length === 0
    ? []
    : ctx.rawDb.selectFrom('users_user').select(['id', 'name']).where('id', 'in', ids).execute()
}

/** The rules of a user who types in another user's session: as if they had opened it, by whatever kind of account. */
export const commandFiltersOfJoiner = (ctx: Context, userId: string, assetId: string, account: string) =>
  commandFiltersFor(ctx, userId, assetId, [account, ...Object.keys(accountAliases)])

/** Whether any command rule of the organization is active. */
export async function hasCommandFilters(ctx: Context): Promise<boolean> {
  const some = await findAll(ctx, commandFilterAcl, (query) => query.where('t.is_active', '=', true).limit(1))
  return some.length > 0
}

/**
 * The command rules of a session: active ones of the asset's organization that match the user, the asset and the
 * account, in order of evaluation.
 * @param accountNames every name of the account: its username, and for a typed one also the alias
 */
export async function commandFiltersFor(
  ctx: Context,
  userId: string,
  assetId: string,
  accountNames: readonly string[],
): Promise<CommandFilter[]> {
  const asset = await assetSubject(ctx, assetId)
  const user = asset && (await userSubject(ctx, userId, asset.orgId))
  if (!asset || !user) return []
  const rows = await findAll(ctx.inOrg(asset.orgId), commandFilterAcl, (query) =>
    query.where('t.is_active', '=', true).orderBy('t.priority', 'desc').orderBy('t.name').orderBy('t.id'),
  )
  const fitting = await selecting(
    rows.filter((row) => namesAccount(row.accounts, accountNames)),
    (row) => [
      [row.users, user],
      [row.assets, asset],
    ],
  )
  const ids = fitting.map((row) => row.id)
  const [groups, reviewers] = [await linksOf(ctx, groupLinks, ids), await linksOf(ctx, reviewerLinks, ids)]
  const linked = <T extends string, R extends { id: string }>(
    links: readonly Link<T | 'commandfilteracl_id'>[],
    to: T,
    known: readonly R[],
    id: string,
  ): R[] => {
    const byId = new Map(known.map((row) => [row.id, row]))
    return links.flatMap((link) => (link.commandfilteracl_id === id ? (byId.get(link[to]) ?? []) : []))
  }
  const groupRows = await groupsById(
    ctx,
    groups.map((link) => link.commandgroup_id),
  )
  const users = await namesById(
    ctx,
    reviewers.map((link) => link.user_id),
  )
  return fitting.map((row) => ({
    id: row.id,
    name: row.name,
    action: row.action as FilterAction,
    priority: row.priority,
    is_active: row.is_active,
    reviewers: linked(reviewers, 'user_id', users, row.id).map(({ id, name }) => ({ id, name })),
    command_groups: linked(groups, 'commandgroup_id', groupRows, row.id)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((group) => ({
        id: group.id,
        name: group.name,
        type: group.type,
        content: group.content,
        ignore_case: group.ignore_case,
        pattern: commandPattern(group.type as CommandGroupType, group.content),
      })),
  }))
}
