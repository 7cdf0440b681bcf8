import { batches } from '../../db/batches.ts'
import type { StoredRow } from '../../kernel/fields/index.ts'
import { formatTimestamp } from '../../kernel/fields/timestamps.ts'
import { defineJob } from '../../kernel/jobs/kinds.ts'
import type { Context } from '../../kernel/module/context.ts'
import { updateOne } from '../../kernel/resource/mutations.ts'
import { decoded } from '../../kernel/resource/repository.ts'
import { passwordSettings, signInSecurity } from './settings.ts'
import { user } from './user.ts'
import type { UserRow } from './user-fields.ts'
import { firstAdministrator } from './user-hooks.ts'
import { tellAccountExpires, tellPasswordExpires } from './user-messages.ts'

const day = 86_400_000
/** Reminds of anything that expires within this many days. */
const ahead = 5

/** Users per transaction, so that other writers wait no longer than that. */
const atOnce = 100

/** Processes users in batches. */
async function forUsers(
  ctx: Context,
  rows: readonly StoredRow[],
  see: (inside: Context, some: UserRow[]) => Promise<void>,
): Promise<void> {
  for (const some of batches(rows, atOnce))
    await ctx.transaction((inside) =>
      see(
        inside,
        some.map((row) => decoded(user, row)),
      ),
    )
}

/** Users who can sign in now. */
const validUsers = (ctx: Context) =>
  ctx.rawDb
    .selectFrom(user.table)
    .selectAll()
    .where('is_service_account', '=', false)
    .where('is_active', '=', true)
    .where((eb) => eb.or([eb('date_expired', 'is', null), eb('date_expired', '>', ctx.now)]))
    .orderBy('id')

/** Reminds users of the local source whose password expires soon. */
export async function remindOfPasswords(ctx: Context): Promise<void> {
  const lasting = passwordSettings.of(ctx).SECURITY_PASSWORD_EXPIRATION_TIME * day
  const rows = await validUsers(ctx)
    .where('source', '=', 'local')
    .where((eb) => eb.fn.coalesce('date_password_last_updated', 'date_joined'), '>=', ctx.now - lasting)
    .where((eb) => eb.fn.coalesce('date_password_last_updated', 'date_joined'), '<', ctx.now - lasting + ahead * day)
    .execute()
  await forUsers(ctx, rows, async (inside, some) => {
    for (const row of some) {
      const end = Number(row.date_password_last_updated ?? row.date_joined) + lasting
      await tellPasswordExpires(inside, row, formatTimestamp(end, ctx.zone))
    }
  })
}

/** Reminds users whose account expires soon. */
export async function remindOfAccounts(ctx: Context): Promise<void> {
  const rows = await validUsers(ctx)
    .where('source', '=', 'local')
    .where('date_expired', '<=', ctx.now + ahead * day)
    .execute()
  await forUsers(ctx, rows, async (inside, some) => {
    for (const row of some) await tellAccountExpires(inside, row, formatTimestamp(Number(row.date_expired), ctx.zone))
  })
}

/** Disables users who have been inactive for long, by sign-in and by token. The first administrator is exempt. */
async function disableUnused(ctx: Context, log: (line: string) => Promise<void>): Promise<void> {
  const before = ctx.now - signInSecurity.of(ctx).SECURITY_UNCOMMON_USERS_TTL * day
  const rows = await validUsers(ctx)
    .where('username', '!=', firstAdministrator)
    .where('date_joined', '<', before)
    .where((eb) => eb.or([eb('last_login', 'is', null), eb('last_login', '<', before)]))
    .where((eb) => eb.or([eb('date_api_key_last_used', 'is', null), eb('date_api_key_last_used', '<', before)]))
    .execute()
  await forUsers(ctx, rows, async (inside, some) => {
    for (const row of some) await updateOne(inside, user, row, { is_active: false }, true)
    // The log of a task is written in another transaction, after this one.
    inside.afterCommit(async () => {
      for (const row of some) await log(`${row.name}(${row.username})`)
    })
  })
}

export const passwordReminders = defineJob<object>({
  name: 'users.password_reminders',
  // A reminder that is missing today comes tomorrow; one that comes twice to everybody annoys everybody.
  delivery: 'at-most-once',
  schedule: '0 10 * * *',
  run: remindOfPasswords,
})

export const accountReminders = defineJob<object>({
  name: 'users.account_reminders',
  delivery: 'at-most-once',
  schedule: '0 14 * * *',
  run: remindOfAccounts,
})

export const disablesUnused = defineJob<object>({
  name: 'users.disable_unused',
  delivery: 'idempotent',
  schedule: '0 14 * * *',
  run: (ctx, _payload, job) => disableUnused(ctx, (line) => job.log(line)),
})
