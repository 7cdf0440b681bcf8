import { randomUUID } from 'node:crypto'
import { errors } from '@castellan/contract/messages/errors'
import { inAddressGroup } from '../../db/addresses.ts'
import { text } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import { defineRoute, Reply } from '../../kernel/http/route.ts'
import { listOf, pagedReply } from '../../kernel/lists/paging.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, permissionDenied, text as say } from '../../kernel/module/errors.ts'
import { loginLimits } from '../users/index.ts'
import { addressPrefix } from './limits.ts'

const base = '/api/v1/settings/'

/** Addresses that may not sign in at the moment because too many attempts from them failed. */
async function blocked(ctx: Context): Promise<{ id: string; ip: string }[]> {
  const limit = loginLimits.of(ctx).SECURITY_LOGIN_IP_LIMIT_COUNT
  const counts = await ctx.kv.withPrefix<number>(addressPrefix)
  const failing = [...counts].filter(([, count]) => count >= limit).map(([key]) => key.slice(addressPrefix.length))
  const white = loginLimits.of(ctx).SECURITY_LOGIN_IP_WHITE_LIST
  return failing.filter((ip) => !inAddressGroup(ip, white)).map((ip) => ({ id: randomUUID(), ip }))
}

const fields = { id: text(), ip: text({ max: 1024 }) }

export const blockRoutes = [
  defineRoute({
    method: 'GET',
    path: `${base}security/block-ip/`,
    requires: 'settings.change_security',
    summary: 'Addresses blocked after too many failed sign-ins',
    fields: { GET: fields },
    handle: async ({ ctx, request }) => {
      const found = await blocked(ctx)
      const answer = await pagedReply(ctx, request, listOf(found))
      return Array.isArray(answer) ? { count: found.length, results: answer } : answer
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${base}security/unlock-ip/`,
    requires: 'settings.change_security',
    summary: 'Unblock addresses',
    withoutBody: true,
    fields: { POST: fields },
    handle: async ({ ctx, request }) => {
      const ips = objectOf(request.body).ips
      if (ips === undefined) throw invalid({ ips: [say(errors.required)] })
      if (!Array.isArray(ips)) throw invalid({ ips: [say(errors.not_a_list, { type: typeof ips })] })
      for (const ip of ips) await ctx.kv.delete(`${addressPrefix}${ip}`)
      return new Reply(200)
    },
  }),
  // SMS providers are not supported yet; until then the contract's error applies.
  defineRoute({
    method: 'GET',
    path: `${base}sms/backend/`,
    requires: 'nobody',
    summary: 'Rejected, as in the contract',
    handle: () => {
      throw permissionDenied()
    },
  }),
]
