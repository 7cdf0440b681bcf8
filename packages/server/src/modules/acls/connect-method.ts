import { connectMethodAclActions } from '@castellan/contract/choices/acls'
import { rootOrgId } from '@castellan/contract/ids'
import { noRow } from '../../db/text.ts'
import { computed, json } from '../../kernel/fields/index.ts'
import { decodeJson } from '../../kernel/fields/scalars.ts'
import type { Context } from '../../kernel/module/context.ts'
import { findAll } from '../../kernel/resource/repository.ts'
import { defineResource, type Filter } from '../../kernel/resource/resource.ts'
import { aclDates, aclFieldOrder, aclFields, aclHooks, aclOrder, usersFilter } from './acl-fields.ts'
import { selecting, userSubject } from './subjects.ts'

const table = 'acls_connectmethodacl'

/** Rules that deny a method; there are few, with short lists. */
const byMethod: Filter = async (ctx, query, value) => {
  const rows = await ctx.acrossOrganizations.selectFrom(table).select(['id', 'connect_methods']).execute()
  const ids = rows.filter((row) => (decodeJson(row.connect_methods) as string[]).includes(value)).map(({ id }) => id)
  return ids.length > 0 ? query.where('t.id', 'in', ids) : query.where(noRow)
}

/** Denies connect methods to some users, in every organization. */
export const connectMethodAcl = defineResource({
  app: 'acls',
  name: 'connectmethodacl',
  path: 'connect-method-acls',
  scope: 'global',
  fields: {
    ...aclFields('connectmethodacl', connectMethodAclActions, true),
    connect_methods: json<string[]>({ default: [], shape: 'array' }),
    org_id: computed('field', { wire: (_value, ctx) => ctx.orgId }),
    org_name: computed('field', {}),
    ...aclDates(),
  },
  unique: [['name']],
  search: ['name'],
  fieldOrder: aclFieldOrder,
  defaultOrder: aclOrder,
  filters: {
    users: usersFilter(table),
    methods: byMethod,
  },
  hooks: aclHooks,
  // Forms have the field, but a rule for every organization has no value for it.
  hidden: (_ctx, _verb, use) => (use === 'options' ? [] : ['org_name']),
})

/** Methods that active rules deny a user, regardless of priority. */
export async function refusedMethods(ctx: Context, userId: string): Promise<Set<string>> {
  const rows = await findAll(ctx, connectMethodAcl, (query) => query.where('t.is_active', '=', true))
  const user = rows.length > 0 ? await userSubject(ctx, userId, rootOrgId) : undefined
  const denying = user ? await selecting(rows, (row) => [[row.users, user]]) : []
  return new Set(denying.flatMap((row) => row.connect_methods))
}

/** Which connect methods the rules leave to the caller. */
export async function allowedMethods(ctx: Context): Promise<(method: { value: string }) => boolean> {
  const refused = ctx.caller ? await refusedMethods(ctx, ctx.caller.id) : new Set<string>()
  return ({ value }) => !refused.has(value)
}
