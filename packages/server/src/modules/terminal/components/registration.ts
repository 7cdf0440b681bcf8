import { componentTypes } from '@castellan/contract/choices/terminal'
import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import { readBody } from '../../../kernel/body.ts'
import { demandBootstrapToken } from '../../../kernel/bootstrap-token.ts'
import { failureAs, text as say } from '../../../kernel/errors.ts'
import { longText, rawChoice, text } from '../../../kernel/fields/index.ts'
import { insertRow } from '../../../kernel/repository.ts'
import { created, defineRoute, type Handling } from '../../../kernel/route.ts'
import { formatTimestamp } from '../../../kernel/timestamps.ts'
import { createAccessKey } from '../../authentication/index.ts'
import { createServiceAccount } from '../../users/index.ts'
import { components } from '../settings.ts'
import { shorten } from '../shorten.ts'
import { defaultStorage } from '../storage/storage.ts'
import { component } from './component.ts'

const fields = {
  name: text({ max: 1024, printable: true, required: true }),
  type: rawChoice(componentTypes, { default: 'koko' }),
  comment: longText(),
}

/** Registers a component and creates its account with a key. The secret is only shown here. */
async function register({ ctx, request }: Handling): Promise<unknown> {
  demandBootstrapToken(ctx, request)
  if (!components.of(ctx).SECURITY_SERVICE_ACCOUNT_REGISTRATION)
    throw failureAs(400, 'error', say(texts.component_disabled))
  const body = readBody<{ name: string; type: string; comment: string }>(ctx, fields, request.body)
  const name = shorten(body.name, 128)
  const comment = body.name.length > 128 ? body.name : body.comment
  const account = await createServiceAccount(ctx, { name, comment })
  const { row: key, secret } = await createAccessKey(ctx, account.id)
  await insertRow(ctx, component, {
    name,
    type: body.type,
    comment,
    remote_addr: ctx.ip,
    user_id: account.id,
    command_storage: (await defaultStorage(ctx, 'command')).name,
    replay_storage: (await defaultStorage(ctx, 'replay')).name,
    created_by: 'System',
  })
  return created({
    name,
    type: body.type,
    comment,
    remote_addr: ctx.ip,
    service_account: {
      ...account,
      access_key: {
        id: key.id,
        is_active: true,
        date_created: formatTimestamp(key.date_created, ctx.zone),
        date_last_used: null,
        ip_group: key.ip_group,
        secret,
      },
    },
  })
}

export const registrationRoutes = ['terminal-registrations', 'registration'].map((path) =>
  defineRoute({
    method: 'POST',
    path: `/api/v1/terminal/${path}/`,
    requires: 'public',
    summary: 'Register a connection component with the bootstrap token',
    statuses: [201],
    csrfExempt: true,
    // As in the recorded contract: only the newer URL answers OPTIONS.
    withoutOptions: path === 'terminal-registrations',
    fields: { POST: fields },
    handle: register,
  }),
)
