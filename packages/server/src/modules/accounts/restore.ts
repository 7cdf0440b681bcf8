import { errors } from '@castellan/contract/messages/errors'
import { rotationErrors } from '@castellan/contract/messages/rotation'
import { integer, type StoredRow } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import type { Route } from '../../kernel/http/route.ts'
import { badRequest, invalid, text as say } from '../../kernel/module/errors.ts'
import { updateOne } from '../../kernel/resource/mutations.ts'
import { actionRoutes } from '../../kernel/resource/resource-routes.ts'
import { serializeOne } from '../../kernel/resource/serialize.ts'
import { account } from './account.ts'
import { earlierSecret } from './history.ts'
import { revealSecret } from './secret.ts'

/**
 * Makes an earlier secret of an account its current one, for whoever may see and change it. Only what is stored changes:
 * a push sets it on the asset. The one before stays in the history.
 */
export const restoreRoutes: readonly Route[] = actionRoutes(account, [
  {
    path: 'restore-secret',
    methods: ['POST'],
    detail: true,
    requires: ['accounts.change_account', 'accounts.view_accountsecret'],
    confirm: 'mfa',
    summary: 'Make an earlier secret of an account its current one: `history` is the id in its histories',
    fields: { POST: { history: integer({ required: true }) } },
    handle: async ({ ctx, request, row }) => {
      const { history } = objectOf(request.body)
      if (!Number.isSafeInteger(history)) throw invalid({ history: [say(errors.required)] })
      const earlier = await earlierSecret(ctx, row.id, Number(history))
      if (!earlier) throw badRequest(say(rotationErrors.no_such_version))
      await revealSecret(ctx, row)
      const { secret, secret_type } = earlier
      const body: StoredRow = { name: row.name, secret, secret_type }
      return serializeOne(ctx, account, await updateOne(ctx, account, row, body, true))
    },
  },
])
