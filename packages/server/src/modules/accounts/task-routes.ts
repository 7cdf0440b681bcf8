import { accountTaskActions } from '@castellan/contract/choices/accounts'
import type { Message } from '@castellan/contract/messages'
import { accountsMessages } from '@castellan/contract/messages/accounts'
import { assetsMessages } from '@castellan/contract/messages/assets'
import { errors } from '@castellan/contract/messages/errors'
import { failureAs, text as say } from '../../kernel/errors.ts'
import { type AnyRow, bare, keyOf, normalUuid } from '../../kernel/fields/index.ts'
import { findAll } from '../../kernel/repository.ts'
import { created, defineRoute } from '../../kernel/route.ts'
import { asset, platformsById } from '../assets/index.ts'
import { account } from './account.ts'
import { taskFields } from './call-fields.ts'
import { verifyAccounts } from './verify-job.ts'

/** This endpoint reports every failure with the same status. */
const refuse = (message: Message, values?: Record<string, string>) => failureAs(401, 'error', say(message, values))

export const accountTaskRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/accounts/accounts/tasks/',
  requires: 'accounts.verify_account | accounts.push_account',
  summary: 'Verify accounts',
  statuses: [201],
  fields: { POST: taskFields },
  handle: async ({ ctx, request }) => {
    const body = (request.body ?? {}) as AnyRow
    const action = String(bare(body.action) ?? '')
    if (!Object.hasOwn(accountTaskActions, action)) throw refuse(errors.not_a_choice, { input: action })
    if (!ctx.can(action === 'push' ? 'accounts.push_account' : 'accounts.verify_account'))
      throw refuse(errors.permission_denied)
    if (action === 'push') throw refuse(accountsMessages.push_unsupported)
    const ids = (Array.isArray(body.accounts) ? body.accounts : []).flatMap((item) => normalUuid(keyOf(item)) ?? [])
    const rows = ids.length > 0 ? await findAll(ctx, account, (query) => query.where('t.id', 'in', ids)) : []
    const first = rows[0]
    if (!first) throw refuse(errors.required)
    const [target] = await findAll(ctx, asset, (query) => query.where('t.id', '=', first.asset_id))
    const automation = (await platformsById(ctx)).get(target?.platform_id)?.automation
    if (!automation?.ansible_enabled || !automation.ping_enabled) throw refuse(assetsMessages.ping_unsupported)
    const task = await ctx.enqueue(verifyAccounts, { accounts: rows.map(({ id }) => id) }, { orgId: first.org_id })
    return created({ task })
  },
})
