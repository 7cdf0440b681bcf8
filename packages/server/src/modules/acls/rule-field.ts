import { errors } from '@castellan/contract/messages/errors'
import { batches } from '../../db/batches.ts'
import type { Field } from '../../kernel/fields/field.ts'
import { json } from '../../kernel/fields/index.ts'
import { choosableBy } from '../../kernel/fields/relations.ts'
import { jsonOfCell } from '../../kernel/fields/scalars.ts'
import type { Context } from '../../kernel/module/context.ts'
import { text } from '../../kernel/module/errors.ts'
import { scoped } from '../../kernel/resource/repository.ts'
import { findResource } from '../../kernel/resource/resource.ts'
import { parseRule, type Rule } from '../../kernel/rules/index.ts'

/** Ids of a rule that exist in the caller's scope. */
async function existing(ctx: Context, target: string, ids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  const where = target === 'users.user' ? ctx.acrossOrgs() : ctx
  for (const some of batches(ids))
    for (const { id } of await scoped(where, findResource(target)).where('t.id', 'in', some).execute()) found.add(id)
  return found
}

const idsOf = (rule: unknown): readonly string[] =>
  (rule as Rule | null)?.type === 'ids' ? (rule as { ids: string[] }).ids : []

/** The users or assets of a rule: all, some by id, or by attributes. */
export function ruleField(target: 'users.user' | 'assets.asset', anyOrg = false): Field<Rule, 'own'> {
  const column = target === 'users.user' ? 'users' : 'assets'
  return {
    ...json<Rule>({ required: true, filter: true }),
    type: 'field',
    parse: (input) => parseRule(input),
    resolve: async (ctx, rules, problem, befores = []) => {
      const choosable = await choosableBy(
        ctx,
        findResource(target),
        rules.map((rule, index) => ({ ids: idsOf(rule), before: befores[index] })),
        { anyOrg },
      )
      rules.forEach((rule, index) => {
        // Ids already in the rule may remain, even if their rows were deleted.
        const named = new Set(idsOf(befores[index]?.[column]))
        const missing = idsOf(rule).find((id) => !choosable(index).has(id) && !named.has(id))
        if (missing) problem(index, [text(errors.does_not_exist, { pk: missing })])
      })
      return [...rules]
    },
    load: async (ctx, rows, field) => {
      const ids = rows.flatMap((row) => idsOf(row[field]))
      const known = ids.length > 0 ? await existing(ctx, target, [...new Set(ids)]) : new Set<string>()
      return (row) => {
        const rule = row[field] as Rule
        return rule.type === 'ids' ? { type: 'ids', ids: (rule.ids as string[]).filter((id) => known.has(id)) } : rule
      }
    },
    toCell: (wire) => JSON.stringify(wire),
    fromCell: jsonOfCell,
  }
}
