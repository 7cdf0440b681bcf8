import type { Change, Field } from '../../kernel/fields/field.ts'
import { one } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import type { ListQuery } from '../../kernel/resource/resource.ts'

/** The user to whom a row belongs: nobody else sees or changes it. The wire has the bare id. */
export const creatorField = {
  ...one('users.user', { readOnly: true, nullable: true, onDelete: 'set null', anyOrg: true, attrs: ['id'] }),
  type: 'field' as const,
  undescribed: true,
  load: async () => (row) => row.creator_id ?? null,
} satisfies Field

/** Narrows rows to the caller's own. */
export const ownRows = (ctx: Context, query: ListQuery): ListQuery =>
  query.where('t.creator_id', '=', ctx.caller?.id ?? '')

/** For `validate`: new rows belong to the caller. */
export function takeOwnership(
  ctx: Context,
  changes: readonly Pick<Change<{ creator_id: string | null }>, 'mode' | 'row'>[],
): void {
  for (const { mode, row } of changes) if (mode === 'create') row.creator_id = ctx.me.id
}
