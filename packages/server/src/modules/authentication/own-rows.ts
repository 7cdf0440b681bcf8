import { one } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import type { ListQuery } from '../../kernel/resource/resource.ts'

/** The user to whom a key or a token belongs. */
export const owner = one('users.user', { onDelete: 'cascade', anyOrg: true })

/** Nobody sees the keys and tokens of others, administrators included. */
export const ownRows = (ctx: Context, query: ListQuery): ListQuery =>
  query.where('t.user_id', '=', ctx.caller?.id ?? '')
