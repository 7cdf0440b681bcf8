import { errors } from '@castellan/contract/messages/errors'
import { computed, type Field, keyOf, normalUuid } from '../../../kernel/fields/index.ts'
import { objectOf } from '../../../kernel/fields/safe-lookup.ts'
import type { Route } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { invalid, notFound, text as say } from '../../../kernel/module/errors.ts'
import { nameOf } from '../../../kernel/module/texts.ts'
import { recordAction } from '../../../kernel/resource/changes.ts'
import { findById } from '../../../kernel/resource/repository.ts'
import { findResource } from '../../../kernel/resource/resource.ts'
import { actionRoutes } from '../../../kernel/resource/resource-routes.ts'
import { pushRecord, type SecretRecordRow, secretRecord } from './record.ts'
import { retryRecord } from './run-accounts.ts'

/** The record that a body names, in the caller's organization. */
async function named(ctx: Context, resource: typeof secretRecord, body: unknown): Promise<SecretRecordRow> {
  const sent = keyOf(objectOf(body).record_id)
  if (sent === undefined || sent === null || sent === '') throw invalid({ record_id: [say(errors.required)] })
  const id = normalUuid(sent)
  const row = id ? await findById(ctx, resource, id) : undefined
  if (!row) throw notFound(nameOf(resource))
  return row
}

const secretsShown: Record<string, Field> = {
  id: computed('string', {}),
  old_secret: computed('string', {}),
  new_secret: computed('string', {}),
}

const routesOf = (resource: typeof secretRecord) =>
  actionRoutes(resource, [
    {
      path: 'execute',
      methods: ['POST'],
      requires: 'accounts.add_changesecretexecution',
      summary: 'Do one record again, with the same new secret',
      handle: async ({ ctx, request }) => ({ task: await retryRecord(ctx, await named(ctx, resource, request.body)) }),
    },
  ])

/** Both secrets of a record, for whoever may read the secrets of accounts and has confirmed it. Every read is logged. */
const secretRoute = actionRoutes(secretRecord, [
  {
    path: 'secret',
    methods: ['GET'],
    detail: true,
    requires: 'accounts.view_accountsecret',
    confirm: 'mfa',
    summary: 'The secret before and the new one of a record',
    fields: { GET: secretsShown },
    handle: async ({ ctx, row }) => {
      const { vault } = ctx.services
      const about = { id: row.account_id ?? row.id, name: row.label }
      await ctx.transaction((inside) => recordAction(inside, findResource('accounts.account'), 'view', about))
      return {
        id: row.id,
        old_secret: row.old_secret ? vault.open(row.old_secret) : '',
        new_secret: row.new_secret ? vault.open(row.new_secret) : '',
      }
    },
  },
])

export const recordRoutes: readonly Route[] = [
  ...routesOf(secretRecord),
  ...routesOf(pushRecord as unknown as typeof secretRecord),
  ...secretRoute,
]
