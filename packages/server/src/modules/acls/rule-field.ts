import { batches } from '../../db/batches.ts'
import type { Context } from '../../kernel/context.ts'
import type { AnyRow, Field } from '../../kernel/fields/field.ts'
import { json } from '../../kernel/fields/index.ts'
import { jsonOfCell } from '../../kernel/fields/scalars.ts'
import { findResource } from '../../kernel/resource.ts'
import { scoped } from '../../kernel/rows.ts'
import { parseRule, type Rule } from '../../kernel/rules.ts'

/** Ids of a rule that still exist where the caller looks. */
async function existing(ctx: Context, target: string, ids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  const where = target === 'users.user' ? ctx.acrossOrgs() : ctx
  for (const some of batches(ids))
    for (const { id } of await scoped(where, findResource(target)).where('t.id', 'in', some).execute()) found.add(id)
  return found
}

/** Which people or assets a rule concerns: all, some by id, or by their attributes (acls.md §4). */
export function ruleField(target: 'users.user' | 'assets.asset'): Field<Rule, 'own'> {
  return {
    ...json<Rule>({ required: true, filter: true }),
    type: 'field',
    parse: (input) => parseRule(input),
    load: async (ctx, rows, field) => {
      const ids = rows.flatMap((row) =>
        (row[field] as Rule).type === 'ids' ? (row[field] as { ids: string[] }).ids : [],
      )
      const known = ids.length > 0 ? await existing(ctx, target, [...new Set(ids)]) : new Set<string>()
      return (row: AnyRow) => {
        const rule = row[field] as Rule
        return rule.type === 'ids' ? { type: 'ids', ids: (rule.ids as string[]).filter((id) => known.has(id)) } : rule
      }
    },
    toCell: (wire) => JSON.stringify(wire),
    fromCell: jsonOfCell,
  }
}
