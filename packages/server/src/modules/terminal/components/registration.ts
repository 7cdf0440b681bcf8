import { componentTypes } from '@castellan/contract/choices/terminal'
import { appletLogs } from '@castellan/contract/messages/applet-logs'
import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import { longText, rawChoice, text } from '../../../kernel/fields/index.ts'
import { formatTimestamp } from '../../../kernel/fields/timestamps.ts'
import { created, defineRoute, type Handling } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { failureAs, text as say } from '../../../kernel/module/errors.ts'
import { definePort } from '../../../kernel/module/hooks.ts'
import { readBody } from '../../../kernel/resource/body.ts'
import { insertRow } from '../../../kernel/resource/repository.ts'
import { demandBootstrapToken } from '../../../kernel/security/bootstrap-token.ts'
import { createAccessKey } from '../../authentication/index.ts'
import { createServiceAccount } from '../../users/index.ts'
import { components } from '../settings.ts'
import { shorten } from '../shorten.ts'
import { defaultStorage } from '../storage/storage.ts'
import { type ComponentRow, component } from './component.ts'

const fields = {
  name: text({ max: 1024, printable: true, required: true }),
  type: rawChoice(componentTypes, { default: 'koko' }),
  comment: longText(),
}

/** Tokens of application hosts, each for the component of one host. */
interface HostRegistration {
  /** The host of a token that is valid now, which it uses up; undefined for any other token. */
  take(ctx: Context, token: string): Promise<string | undefined>
  /** Makes a new component that of the host. */
  bind(ctx: Context, hostId: string, componentId: string): Promise<void>
}

export const hostRegistration = definePort<HostRegistration>('terminal.host-registration')

/** The application host whose token the request carries. */
async function hostOf(ctx: Context, request: Handling['request']): Promise<string | undefined> {
  const token = request.headers.authorization?.trim().split(/\s+/).at(-1)
  return token ? hostRegistration.use.take(ctx, token) : undefined
}

/** Registers a component and creates its account with a key. The secret is only shown here. */
async function register({ ctx, request }: Handling): Promise<unknown> {
  const host = await hostOf(ctx, request)
  if (!host) demandBootstrapToken(ctx, request)
  if (!components.of(ctx).SECURITY_SERVICE_ACCOUNT_REGISTRATION)
    throw failureAs(400, 'error', say(texts.component_disabled))
  const body = readBody<{ name: string; type: ComponentRow['type']; comment: string }>(ctx, fields, request.body)
  if (host && body.type !== 'tinker') throw failureAs(400, 'error', say(appletLogs.host_type))
  const name = shorten(body.name, 128)
  const comment = body.name.length > 128 ? body.name : body.comment
  const account = await createServiceAccount(ctx, { name, comment })
  const { row: key, secret } = await createAccessKey(ctx, account.id)
  const row = await insertRow(ctx, component, {
    name,
    type: body.type,
    comment,
    remote_addr: ctx.ip,
    user_id: account.id,
    command_storage: (await defaultStorage(ctx, 'command')).name,
    replay_storage: (await defaultStorage(ctx, 'replay')).name,
    created_by: 'System',
  })
  if (host) await hostRegistration.use.bind(ctx, host, row.id)
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
