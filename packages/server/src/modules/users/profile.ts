import type { Context } from '../../kernel/context.ts'
import { getById } from '../../kernel/rows.ts'
import { presentOne } from '../../kernel/read.ts'
import type { Resource } from '../../kernel/resource.ts'
import { user } from './user.ts'

/** A person's own profile object (identity.md §2.1), as the sign-in answer and `users/profile/` carry it. */
export async function profileOf(ctx: Context, userId: string): Promise<Record<string, unknown>> {
  const row = await getById(ctx, user, userId)
  return presentOne(ctx, user as unknown as Resource, row)
}
