import { batches } from '../../../db/batches.ts'
import { many } from '../../../kernel/fields/index.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import { filePasswordOf, user } from '../../users/index.ts'

/** Where the recipients of an automation are stored. */
export const recipientLinks = (table: string, name: string) => ({
  through: `${table}_recipients`,
  from: `${name}_id`,
  to: 'user_id',
})

/** Users who receive the reports of executions. */
export const recipientsField = (table: string, name: string) => many('users.user', recipientLinks(table, name))

/** Recipients as snapshots of executions keep them: the name, and whether files could be encrypted for them; by id. */
export async function recipientUsers(ctx: Context, ids: readonly string[]): Promise<Record<string, [string, boolean]>> {
  const users: Record<string, [string, boolean]> = {}
  for (const some of batches(ids))
    for (const row of await findAll(ctx, user, (query) => query.where('t.id', 'in', some)))
      users[row.id] = [`${row.name}(${row.username})`, Boolean(await filePasswordOf(ctx, row.id))]
  return users
}
