import { longText, text } from '../../kernel/fields/index.ts'
import { formatTimestamp } from '../../kernel/fields/timestamps.ts'
import { created, defineRoute } from '../../kernel/http/route.ts'
import { permissionDenied } from '../../kernel/module/errors.ts'
import { readBody } from '../../kernel/resource/body.ts'
import { demandBootstrapToken } from '../../kernel/security/bootstrap-token.ts'
import { createAccessKey } from '../authentication/index.ts'
import { createServiceAccount } from '../users/index.ts'

const fields = { name: text({ max: 128, required: true }), comment: longText() }

/** Creates an account for a program that knows the bootstrap token. The secret of the key is only shown here. */
export const serviceAccountRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/users/service-account-registrations/',
  requires: 'public',
  summary: 'Create an account for a program that knows the bootstrap token',
  statuses: [201],
  csrfExempt: true,
  fields: { POST: fields },
  handle: async ({ ctx, request }) => {
    demandBootstrapToken(ctx, request)
    const body = readBody<{ name: string; comment: string }>(ctx, fields, request.body)
    const { id, name, comment } = await createServiceAccount(ctx, body)
    const { row, secret } = await createAccessKey(ctx, id)
    return created({
      id,
      name,
      comment,
      access_key: {
        id: row.id,
        is_active: true,
        date_created: formatTimestamp(row.date_created, ctx.zone),
        date_last_used: null,
        ip_group: row.ip_group,
        secret,
      },
    })
  },
})

/** The list is not available; the contract answers 403 instead of 405. */
export const serviceAccountsUnlisted = defineRoute({
  method: 'GET',
  path: serviceAccountRoute.path,
  requires: 'valid',
  summary: 'Service accounts are not listed',
  handle: () => {
    throw permissionDenied()
  },
})
