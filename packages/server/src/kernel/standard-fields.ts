import type { Context } from './context.ts'
import type { AnyRow, Field } from './fields/field.ts'
import { computed, integer, parseUuid, uuid } from './fields/scalars.ts'

/** Fields that declarations get without asking. */

export const idField = (): Field => ({ ...uuid({ nullable: false }), parse: parseUuid, nullable: false })

export const serialIdField = (writable: boolean): Field => ({ ...integer({ readOnly: !writable, order: true }) })

/** Names of organisations by id, asked once per request. */
export async function organisationNames(ctx: Context): Promise<Map<string, string>> {
  return ctx.once('organisation names', async () => {
    const rows = await ctx.unscoped.selectFrom('orgs_organization').select(['id', 'name']).execute()
    return new Map(rows.map((row: AnyRow) => [row.id as string, row.name as string]))
  })
}

export const orgFields = (): Record<string, Field> => ({
  org_id: { ...computed('field', { wire: (_value, _ctx, row) => row.org_id ?? '' }), order: true },
  org_name: computed('field', {
    load: async (ctx) => {
      const names = await organisationNames(ctx)
      return (row) => names.get(row.org_id) ?? ''
    },
    noExport: true,
  }),
})
