import { roleIds } from '@castellan/contract/ids'
import { errors } from '@castellan/contract/messages/errors'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, text } from '../../kernel/module/errors.ts'
import { insertRow } from '../../kernel/resource/repository.ts'
import { subscribeUsers } from '../notifications/index.ts'
import { roleBinding, rolesChanged } from '../rbac/index.ts'
import { checkNames, claimNames } from './claimed-names.ts'
import { joinDefaultGroup } from './membership.ts'
import { user } from './user.ts'

/**
 * The user behind a component: no password, the component role in the whole system. Throws 400 on `name` when the
 * username or its e-mail address is taken.
 */
export async function createServiceAccount(
  ctx: Context,
  { name, comment }: { name: string; comment: string },
): Promise<{ id: string; name: string; comment: string }> {
  const email = `${name}@local.domain`
  const taken = await ctx.rawDb
    .selectFrom(user.table)
    .select('id')
    .where((eb) => eb.or([eb('username', '=', name), eb('email', '=', email)]))
    .executeTakeFirst()
  if (taken) throw invalid({ name: [text(errors.unique)] })
  await checkNames(ctx, [{ row: { id: '', username: name, email }, index: 0 }], (_index, _field, said) => {
    throw invalid({ name: [said] })
  })
  const made = await insertRow(ctx, user, {
    name,
    username: name,
    email,
    comment,
    is_service_account: true,
    is_first_login: false,
    created_by: 'System',
  })
  await claimNames(ctx, [{ row: made, index: 0 }])
  await insertRow(ctx, roleBinding, {
    user_id: made.id,
    role_id: roleIds.systemComponent,
    scope: 'system',
    org_id: null,
    created_by: 'System',
  })
  await joinDefaultGroup(ctx, [made.id])
  await subscribeUsers(ctx, [made])
  await ctx.publish(rolesChanged, {})
  return { id: made.id, name, comment }
}
