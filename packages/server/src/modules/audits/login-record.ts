import { systemOrgId } from '@castellan/contract/ids'
import type { Context } from '../../kernel/module/context.ts'
import { insertRow } from '../../kernel/resource/repository.ts'
import { cityOf } from '../../kernel/security/cities.ts'
import type { LoginFacts } from '../authentication/index.ts'
import { recordActivity } from './activity-log.ts'
import { backendStored } from './login-facts.ts'
import { loginLog } from './login-log.ts'
import { tellOfOtherCity } from './other-city.ts'

/** Logs a successful or failed sign-in, with the activity of its user. */
export async function recordLogin(ctx: Context, facts: LoginFacts): Promise<void> {
  const city = cityOf(ctx.services, facts.ip)
  await ctx.transaction(async (inside) => {
    if (facts.status && facts.userId) await tellOfOtherCity(inside, { ...facts, userId: facts.userId, city })
    const row = await insertRow(inside, loginLog, {
      username: facts.username.slice(0, 128),
      type: facts.type,
      ip: facts.ip || '0.0.0.0',
      city,
      user_agent: facts.userAgent.slice(0, 254),
      mfa: facts.mfa,
      reason: facts.reason.slice(0, 128),
      backend: backendStored(facts.backend),
      status: facts.status,
      datetime: inside.now,
      user_id: facts.userId ?? null,
    })
    if (facts.userId)
      await recordActivity(inside, [
        {
          type: 'L',
          resourceId: facts.userId,
          detailId: row.id,
          orgId: systemOrgId,
          message: facts.status ? 'activity_login_done' : 'activity_login_failed',
          values: { user: facts.username },
        },
      ])
  })
}
