import { defaultOrgId } from '@castellan/contract/ids'
import { errors } from '@castellan/contract/messages/errors'
import type { Field } from '../fields/field.ts'
import { computed, integer, parseUuid, text as textField, uuid } from '../fields/scalars.ts'
import type { Context } from '../module/context.ts'
import { text } from '../module/errors.ts'

/** Fields that are added to declarations automatically. */

export const idField = (): Field => ({ ...uuid({ nullable: false }), parse: parseUuid, nullable: false })

export const serialIdField = (writable: boolean): Field => ({ ...integer({ readOnly: !writable, order: true }) })

/** The author of a row, where forms list it as writable. The sent value is ignored: the server sets the author. */
export const writerField = (): Field<string | null, 'own'> => {
  const { parse: _parse, ...field } = textField({ max: 128, nullable: true })
  return field as Field<string | null, 'own'>
}

/** Names of organizations by id, loaded once per request. */
export async function organizationNames(ctx: Context): Promise<Map<string, string>> {
  return ctx.once('organization names', async () => {
    const names = ctx.rawDb.selectFrom('orgs_organization').select(['id', 'name'])
    return ctx.services.lists.derived(
      ctx,
      names,
      (rows) => new Map(rows.map((row) => [String(row.id), String(row.name)])),
    )
  })
}

export const orgFields = () => ({
  org_id: { ...computed('field', { answers: 'string', wire: (_value, _ctx, row) => row.org_id ?? '' }), order: true },
  org_name: computed('field', {
    answers: 'string',
    load: async (ctx) => {
      const names = await organizationNames(ctx)
      return (row) => names.get(String(row.org_id)) ?? ''
    },
    noExport: true,
  }),
})

/**
 * `org_id` of rows that components report: stored as sent when they work across organizations, otherwise the current
 * one; empty means the default organization. It cannot be changed later. Use with `orgFields: false`.
 */
export const reportedOrgFields = (options: { required: boolean }) => {
  const { org_name } = orgFields()
  return {
    org_id: {
      ...textField({ max: 36, blank: true, nullable: true, order: true, ...options }),
      parse: (input) => (input === '' ? defaultOrgId : parseUuid(input)),
      resolve: async (ctx, values, problem) => {
        const known = await organizationNames(ctx)
        return values.map((id, index) => {
          if (typeof id === 'string' && !known.has(id)) problem(index, [text(errors.does_not_exist, { pk: id })])
          return id ?? defaultOrgId
        })
      },
    },
    org_name,
  } satisfies Record<string, Field>
}
