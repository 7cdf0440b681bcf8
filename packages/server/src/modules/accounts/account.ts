import type { Context } from '../../kernel/module/context.ts'
import { defineResource, type ListQuery } from '../../kernel/resource/resource.ts'
import { filePasswordOf } from '../users/index.ts'
import { accountColumns, accountFields } from './account-fields.ts'
import { accountFilters } from './account-filters.ts'
import { accountHooks } from './account-hooks.ts'
import { createAccounts } from './create-accounts.ts'

export const accountDeclaration = {
  idFilter: true,
  app: 'accounts',
  scope: 'org' as const,
  fields: accountFields,
  columns: accountColumns,
  unique: [
    ['username', 'asset_id', 'secret_type'],
    ['name', 'asset_id'],
  ] as const,
  indexes: [['asset_id'], ['org_id', 'date_updated'], ['org_id', 'username'], ['source_id'], ['su_from_id']] as const,
  search: ['username', 'name', 'a.name', 'a.address', 'comment'] as const,
  mini: ['id', 'name', 'username'] as const,
  filters: accountFilters,
  // Search and filters also use columns of the asset.
  visible: (_ctx: unknown, query: ListQuery) =>
    query.innerJoin('assets_asset as a', 'a.id', 't.asset_id') as unknown as ListQuery,
  hidden: (_ctx: unknown, verb: string) => (verb === 'retrieve' ? [] : ['has_secret']),
  display: (row: Record<string, unknown>) => `${row.name}(${row.username})`,
  filePassword: (ctx: Context) => filePasswordOf(ctx, ctx.me.id),
}

/** Credentials for one asset. The secret is sealed and only opened in `secret.ts`. */
export const account = defineResource({
  ...accountDeclaration,
  name: 'account',
  path: 'accounts',
  hooks: accountHooks,
  create: createAccounts,
})
