import { errors } from '@castellan/contract/messages/errors'
import { batches } from '../../db/batches.ts'
import type { Field, StoredRow } from '../../kernel/fields/field.ts'
import { computed, one } from '../../kernel/fields/index.ts'
import { emptyBadRequest, text as say } from '../../kernel/module/errors.ts'
import { recordLinks } from '../../kernel/resource/changes.ts'
import { defineResource, findResource, type ListQuery, type Resource } from '../../kernel/resource/resource.ts'

/** The wire value is the bare id of the related row. */
const link = (target: Parameters<typeof one>[0]): Field<string, 'ref'> => ({
  ...one(target, { required: true, onDelete: 'cascade', filter: true, show: (row: { id: string }) => row.id }),
  type: 'field',
})

interface Side {
  /** Name of the resource of links. */
  resource: string
  /** Singular name in field and column names. */
  name: string
  /** The field with the display name of the related row. */
  shown: string
  /** Plural in the names of join table and path. */
  plural: string
  path: string
  target: 'users.user' | 'users.usergroup' | 'assets.asset' | 'assets.node'
  table: string
  /** Columns of the related table (`r`) that a search covers. */
  search: readonly string[]
  /** The column of the related row that names it. */
  named: 'name' | 'full_value'
  /** Type of `shown` in OPTIONS. */
  shownType?: 'string'
}

/** One of the four lists of links of permissions: a join table with its own collection. */
function relation(side: Side): Resource {
  const column = `${side.name}_id`
  const display = (target: () => Resource, by: string, named: Side['named'], type: 'field' | 'string' = 'field') =>
    computed(type, {
      load: async (ctx, rows) => {
        const ids = [...new Set(rows.map((row) => row[by]))]
        const found = await ctx.acrossOrganizations
          .selectFrom(target().table)
          .selectAll()
          .where('id', 'in', ids)
          .execute()
        const names = new Map(found.map((row) => [row.id, row[named]]))
        return (row) => names.get(row[by]) ?? ''
      },
    })
  const resource: Resource = defineResource({
    app: 'perms',
    name: side.resource,
    path: `asset-permissions-${side.path}-relations`,
    table: `perms_assetpermission_${side.plural}`,
    scope: 'global',
    permission: 'assetpermission',
    serialId: true,
    idFilter: true,
    wholeRows: true,
    bare: true,
    bulkDelete: async (_ctx, selected, all) => {
      const some = selected.length === 1 || (selected.length > 0 && selected.length < (await all()))
      if (!some) throw emptyBadRequest()
    },
    fields: {
      [side.name]: link(side.target),
      [side.shown]: display(() => findResource(side.target), column, side.named, side.shownType),
      assetpermission: link('perms.assetpermission'),
      assetpermission_display: display(() => findResource('perms.assetpermission'), 'assetpermission_id', 'name'),
    },
    orderable: ['id'],
    search: [...side.search.map((name) => `r.${name}`), 'p.name'],
    defaultOrder: ['id'],
    display: (row) => `${row.assetpermission_id} ${row[column]}`,
    visible(ctx, query) {
      const joined = query
        .innerJoin('perms_assetpermission as p', 'p.id', 't.assetpermission_id')
        .innerJoin(`${side.table} as r`, 'r.id', `t.${column}`) as unknown as ListQuery
      // Links belong to a permission's organization: the view over all organizations has none.
      return joined.where('p.org_id', '=', ctx.orgId as never)
    },
    hooks: {
      async validate(ctx, changes, problem) {
        const pairOf = (row: StoredRow) => `${row[column]} ${row.assetpermission_id}`
        const linked = changes.filter(({ row }) => row[column] && row.assetpermission_id)
        const known = new Map<string, unknown>()
        for (const part of batches(linked)) {
          const some = part.map(({ row }) => row)
          const rows = await ctx.acrossOrganizations
            .selectFrom(`perms_assetpermission_${side.plural}`)
            .select(['id', column, 'assetpermission_id'])
            .where(column, 'in', [...new Set(some.map((row) => row[column]))])
            .where('assetpermission_id', 'in', [...new Set(some.map((row) => row.assetpermission_id))])
            .execute()
          for (const row of rows) known.set(pairOf(row), row.id)
        }
        const seen = new Set<string>()
        for (const { row, index } of linked) {
          const pair = pairOf(row)
          const holder = known.get(pair)
          if ((holder !== undefined && holder !== row.id) || seen.has(pair))
            problem(index, 'non_field_errors', [say(errors.unique)])
          seen.add(pair)
        }
      },
      afterSave: (ctx, changes) =>
        recordLinks(
          ctx,
          findResource('perms.assetpermission'),
          side.plural,
          changes.map(({ row }) => ({ id: row.assetpermission_id, linked: row[column] })),
          'added',
        ),
      afterDelete: (ctx, rows) =>
        recordLinks(
          ctx,
          findResource('perms.assetpermission'),
          side.plural,
          rows.map((row) => ({ id: row.assetpermission_id, linked: row[column] })),
          'removed',
        ),
    },
  })
  return resource
}

export const permissionRelations: readonly Resource[] = [
  relation({
    resource: 'assetpermissionuser',
    name: 'user',
    shown: 'user_display',
    plural: 'users',
    path: 'users',
    target: 'users.user',
    table: 'users_user',
    search: ['name', 'username'],
    named: 'name',
  }),
  relation({
    resource: 'assetpermissionusergroup',
    name: 'usergroup',
    shown: 'usergroup_display',
    plural: 'user_groups',
    path: 'user-groups',
    target: 'users.usergroup',
    table: 'users_usergroup',
    search: ['name'],
    named: 'name',
  }),
  relation({
    resource: 'assetpermissionasset',
    name: 'asset',
    shown: 'asset_display',
    plural: 'assets',
    path: 'assets',
    target: 'assets.asset',
    table: 'assets_asset',
    search: ['name', 'address'],
    named: 'name',
  }),
  relation({
    resource: 'assetpermissionnode',
    name: 'node',
    shown: 'node_display',
    plural: 'nodes',
    path: 'nodes',
    target: 'assets.node',
    table: 'assets_node',
    search: ['value'],
    named: 'full_value',
    shownType: 'string',
  }),
]
