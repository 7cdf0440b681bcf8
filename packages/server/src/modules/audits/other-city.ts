import { userMails } from '@castellan/contract/messages/user-mails'
import type { Context } from '../../kernel/module/context.ts'
import { isCity } from '../../kernel/security/cities.ts'
import type { LoginFacts } from '../authentication/index.ts'
import { notifyUsers } from '../notifications/index.ts'
import { signInSecurity } from '../users/index.ts'
import { loginLog } from './login-log.ts'

/** Sign-ins that are looked at to find the last one with a city. */
const looked = 100

/** The city of the user's last sign-in that had one. */
async function lastCity(ctx: Context, username: string): Promise<string | undefined> {
  const rows = await ctx.rawDb
    .selectFrom(loginLog.table)
    .select(['city', 'status'])
    .where('username', '=', username)
    .orderBy('datetime', 'desc')
    .limit(looked)
    .execute()
  return rows.find(({ city, status }) => status && isCity(city ?? ''))?.city ?? undefined
}

/** Tells a user who signs in from another city than the last time, in case it was somebody else. */
export async function tellOfOtherCity(
  ctx: Context,
  { userId, username, ip, userAgent, city }: LoginFacts & { userId: string; city: string },
): Promise<void> {
  if (!isCity(city) || !signInSecurity.of(ctx).SECURITY_CHECK_DIFFERENT_CITY_LOGIN) return
  const before = await lastCity(ctx, username)
  if (before === undefined || before === city) return
  await notifyUsers(ctx, [userId], {
    subject: userMails.other_city_subject,
    body: userMails.other_city_body,
    values: { city, before, ip, browser: userAgent.slice(0, 254) },
  })
}
