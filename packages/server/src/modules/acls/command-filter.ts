import { commandAclActions } from '@castellan/contract/choices/acls'
import type { Context } from '../../kernel/context.ts'
import type { AnyRow } from '../../kernel/fields/field.ts'
import { linksOf, many } from '../../kernel/fields/index.ts'
import { findAll } from '../../kernel/repository.ts'
import { defineResource } from '../../kernel/resource.ts'
import { aclDates, aclFields, aclHooks, aclOrder, assetFields, assetsFilter, usersFilter } from './acl-fields.ts'
import { commandGroup } from './command-group.ts'
import { type CommandGroupType, commandPattern } from './pattern.ts'
import { assetSubject, concerns, userSubject } from './subjects.ts'

const table = 'acls_commandfilteracl'
const groupLinks = { table: `${table}_groups`, from: 'commandfilteracl_id', to: 'commandgroup_id' }
const reviewerLinks = { table: `${table}_reviewers`, from: 'commandfilteracl_id', to: 'user_id' }

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
  defaultOrder: aclOrder,
  filters: { users: usersFilter(table), assets: assetsFilter(table) },
  hooks: aclHooks,
})

/** A command rule as sent to a component with a session. */
export interface CommandFilter {
  id: string
  name: string
  action: string
  priority: number
  is_active: boolean
  reviewers: { id: string; name: string }[]
  command_groups: {
    id: string
    name: string
    type: string
    content: string
    ignore_case: boolean
    pattern: string
  }[]
}

/** Whether a rule's list of accounts contains one of the names of an account. */
export const namesAccount = (accounts: readonly string[], names: readonly string[]): boolean =>
  accounts.some((item) => item === '@ALL' || item === '*' || names.includes(item))

async function byId(ctx: Context, name: string, ids: readonly unknown[]): Promise<Map<unknown, AnyRow>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.unscoped.selectFrom(name).selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
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
  const fitting = rows.filter(
    (row) => concerns(row.users, user) && concerns(row.assets, asset) && namesAccount(row.accounts, accountNames),
  )
  const ids = fitting.map((row) => row.id)
  const [groups, reviewers] = [await linksOf(ctx, groupLinks, ids), await linksOf(ctx, reviewerLinks, ids)]
  const groupRows = await byId(
    ctx,
    commandGroup.table,
    groups.map((link) => link.commandgroup_id),
  )
  const users = await byId(
    ctx,
    'users_user',
    reviewers.map((link) => link.user_id),
  )
  const linked = (links: readonly AnyRow[], from: string, to: string, known: Map<unknown, AnyRow>, id: string) =>
    links.flatMap((link) => (link[from] === id ? (known.get(link[to]) ?? []) : [])) as AnyRow[]
  return fitting.map((row) => ({
    id: row.id,
    name: row.name,
    action: String(row.action),
    priority: row.priority,
    is_active: row.is_active,
    reviewers: linked(reviewers, 'commandfilteracl_id', 'user_id', users, row.id).map(({ id, name }) => ({
      id,
      name,
    })),
    command_groups: linked(groups, 'commandfilteracl_id', 'commandgroup_id', groupRows, row.id)
      .map((stored) => commandGroup.decode(stored))
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
