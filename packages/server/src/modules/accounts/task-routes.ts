import { accountTaskActions } from '@castellan/contract/choices/accounts'
import type { Message } from '@castellan/contract/messages'
import { assetsMessages } from '@castellan/contract/messages/assets'
import { errors } from '@castellan/contract/messages/errors'
import { rotationErrors } from '@castellan/contract/messages/rotation'
import type { PermissionCode } from '@castellan/contract/permissions'
import { bare, keyOf, normalUuid } from '../../kernel/fields/index.ts'
import { isObject, objectOf } from '../../kernel/fields/safe-lookup.ts'
import { created, defineRoute } from '../../kernel/http/route.ts'
import { failureAs, text as say } from '../../kernel/module/errors.ts'
import { findAll } from '../../kernel/resource/repository.ts'
import { asset, platformMethod, platformsById } from '../assets/index.ts'
import { account } from './account.ts'
import { taskFields } from './call-fields.ts'
import { systemOf } from './methods/session.ts'
import { removeChosen } from './rotation/remove-accounts.ts'
import { pushChosen } from './rotation/run-accounts.ts'
import { verifyAccounts } from './verify-job.ts'

type Action = keyof typeof accountTaskActions
const isAction = (name: string): name is Action => Object.hasOwn(accountTaskActions, name)

const rightOf: Readonly<Record<Action, PermissionCode>> = {
  test: 'accounts.verify_account',
  verify: 'accounts.verify_account',
  push: 'accounts.push_account',
  remove: 'accounts.delete_account',
}

/** This endpoint reports every failure with the same status. */
const refuse = (message: Message, values?: Record<string, string>) => failureAs(401, 'error', say(message, values))

export const accountTaskRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/accounts/accounts/tasks/',
  requires: 'accounts.verify_account | accounts.push_account | accounts.delete_account',
  summary: 'Verify accounts, push them to their assets, or remove them from there',
  statuses: [201],
  fields: { POST: taskFields },
  handle: async ({ ctx, request }) => {
    const body = objectOf(request.body)
    const action = String(bare(body.action) ?? '')
    if (!isAction(action)) throw refuse(errors.not_a_choice, { input: action })
    if (!ctx.can(rightOf[action])) throw refuse(errors.permission_denied)
    const ids = (Array.isArray(body.accounts) ? body.accounts : []).flatMap(
      (item: unknown) => normalUuid(keyOf(item)) ?? [],
    )
    const rows = ids.length > 0 ? await findAll(ctx, account, (query) => query.where('t.id', 'in', ids)) : []
    const first = rows[0]
    if (!first) throw refuse(errors.required)
    const [target] = await findAll(ctx, asset, (query) => query.where('t.id', '=', first.asset_id))
    const automation = (await platformsById(ctx)).get(target?.platform_id)?.automation
    const accounts = rows.map(({ id }) => id)
    const options = { orgId: first.org_id }
    if (action === 'push' || action === 'remove') {
      const { isEnabled, method } = platformMethod(automation, 'push_account')
      if (!isEnabled || !method || !systemOf(method)) throw refuse(rotationErrors.push_unsupported)
      if (action === 'remove') return created({ task: await ctx.enqueue(removeChosen, { accounts }, options) })
      const params = isObject(body.params) ? body.params : undefined
      return created({ task: await ctx.enqueue(pushChosen, { accounts, params }, options) })
    }
    if (!automation?.ansible_enabled || !automation.ping_enabled) throw refuse(assetsMessages.ping_unsupported)
    return created({ task: await ctx.enqueue(verifyAccounts, { accounts }, options) })
  },
})
