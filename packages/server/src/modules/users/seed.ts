import { randomInt } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultOrgId, roleIds } from '@castellan/contract/ids'
import type { Context } from '../../kernel/module/context.ts'
import { insertRow } from '../../kernel/resource/repository.ts'
import { subscribeUsers } from '../notifications/index.ts'
import { replaceRoles } from '../rbac/index.ts'
import { claimMissingNames } from './claimed-names.ts'
import { type PasswordChange, setPassword } from './passwords.ts'
import { user } from './user.ts'
import { userGroup } from './user-group.ts'
import { firstAdministrator } from './user-hooks.ts'

/** The file with the generated first password of `admin`, until it is changed. */
const firstPasswordFile = (dataDir: string) => join(dataDir, 'first-password')

/** Letters and digits that cannot be confused, in groups that are easy to type. */
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789'
const part = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')
export const generatedPassword = () => [part(), part(), part(), part()].join('-')

/**
 * Creates the Default group, which every new member of the Default organization joins, and the first administrator, once;
 * lists the sign-in names of users of an earlier version.
 */
export async function seedUsers(ctx: Context): Promise<void> {
  await seedFirst(ctx)
  await claimMissingNames(ctx)
}

async function seedFirst(ctx: Context): Promise<void> {
  if (await ctx.rawDb.selectFrom('users_user').select('id').limit(1).executeTakeFirst()) return
  const here = ctx.inOrg(defaultOrgId)
  const group = await insertRow(here, userGroup, { name: 'Default', comment: '', created_by: 'System' })
  const { adminPassword, dataDir } = ctx.services.config
  const password = adminPassword ?? (await ctx.runOutsideTransaction('first password', async () => generatedPassword()))
  const admin = await insertRow(ctx, user, {
    name: 'Administrator',
    username: firstAdministrator,
    email: 'admin@example.com',
    comment: 'Administrator of the whole system',
    created_by: 'System',
    need_update_password: adminPassword === undefined,
  })
  await setPassword(ctx, admin, password)
  await replaceRoles(ctx, [admin.id], null, [roleIds.systemAdmin])
  await replaceRoles(ctx, [admin.id], defaultOrgId, [roleIds.orgAdmin])
  await subscribeUsers(ctx, [admin])
  await ctx.rawDb.insertInto('users_user_groups').values({ user_id: admin.id, usergroup_id: group.id }).execute()
  if (adminPassword === undefined) writeFileSync(firstPasswordFile(dataDir), `${password}\n`, { mode: 0o600 })
}

/** Deletes the file with the generated password once the first administrator has another one. */
export function removeFirstPassword(ctx: Context, { user: { username, password_hash } }: PasswordChange): void {
  if (username === firstAdministrator && password_hash)
    ctx.afterCommit(() => rmSync(firstPasswordFile(ctx.services.dataDir), { force: true }))
}
