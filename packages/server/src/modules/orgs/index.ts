import { defaultOrgId, rootOrgId, systemOrgId } from '@castellan/contract/ids'
import { orgsMessages } from '@castellan/contract/messages/orgs'
import { normalUuid } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { insertRow } from '../../kernel/resource/repository.ts'
import { organizationDeleting, organizationSaved } from './hooks.ts'
import { organization } from './organization.ts'
import { currentOrganization } from './routes.ts'
import { directorySync } from './settings.ts'

export { organizationDeleting, organizationSaved, type SavedOrganization } from './hooks.ts'
export { directorySync } from './settings.ts'
export { organization }

/** The organization that a query, header, cookie or session value refers to; the default one for anything unknown. */
export async function resolveOrg(ctx: Context, wanted: string | undefined): Promise<string> {
  if (!wanted || wanted === defaultOrgId) return defaultOrgId
  const word = wanted.toLowerCase()
  if (word === 'root' || word === 'global' || wanted === rootOrgId) return rootOrgId
  if (word === 'default') return defaultOrgId
  const column = normalUuid(wanted) ? 'id' : 'name'
  const row = await ctx.rawDb
    .selectFrom('orgs_organization')
    .select('id')
    .where(column, '=', normalUuid(wanted) ?? wanted)
    .executeTakeFirst()
  return row?.id ?? defaultOrgId
}

export const orgs = defineModule({
  app: 'orgs',
  texts: orgsMessages,
  resources: [organization],
  settings: [directorySync],
  hooks: [organizationSaved, organizationDeleting],
  routes: [currentOrganization],
  async seed(ctx) {
    const fixed = [
      { id: defaultOrgId, name: 'Default' },
      { id: systemOrgId, name: 'SYSTEM' },
    ]
    for (const values of fixed) {
      const known = await ctx.rawDb
        .selectFrom(organization.table)
        .select('id')
        .where('id', '=', values.id)
        .executeTakeFirst()
      if (!known) await insertRow(ctx, organization, { ...values, comment: '' })
    }
  },
})
