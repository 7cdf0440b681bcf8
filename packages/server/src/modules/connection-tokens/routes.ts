import { isIP } from 'node:net'
import { authenticationMessages } from '@castellan/contract/messages/authentication'
import { errors } from '@castellan/contract/messages/errors'
import type { Field, StoredRow } from '../../kernel/fields/field.ts'
import { boolean, describedAs, keyOf, normalUuid, text as textField } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import { created, defineRoute, type Handling, noContent, type Route } from '../../kernel/http/route.ts'
import { findTokenOwnersBy } from '../../kernel/http/token-caller.ts'
import type { Context } from '../../kernel/module/context.ts'
import { ApiError, failure, notFound, render, type Text, text } from '../../kernel/module/errors.ts'
import { nameOf } from '../../kernel/module/texts.ts'
import { readBody } from '../../kernel/resource/body.ts'
import { decoded, updateRow } from '../../kernel/resource/repository.ts'
import type { Resource } from '../../kernel/resource/resource.ts'
import { resourceRoutes } from '../../kernel/resource/resource-routes.ts'
import { serializeOne } from '../../kernel/resource/serialize.ts'
import { findAnyUser, type Subject } from '../perms/index.ts'
import { appletOption, releaseAppletAccount } from './applet-option.ts'
import { clientUrl } from './client-url.ts'
import { type Asking, createToken, exchangeToken, type Wanted } from './create.ts'
import { expiryOf, mayBeReused, standingOf } from './lifetime.ts'
import { rdpFile } from './rdp-file.ts'
import { connectionToken, isExpired, superConnectionToken, type TokenRow } from './token.ts'
import { tokenSecret } from './token-secret.ts'

/** Whether the caller is ready to wait for an approval. */
const reviewOf = ({ query }: Handling['request']): Asking['review'] =>
  ['1', 'true'].includes(query.create_ticket ?? '') ? 'open' : 'refuse'

/** Writable fields of a new token, as the resource declares them. */
function sentFields(resource: Resource): Record<string, Field> {
  const names = ['account', 'asset', 'input_username', 'input_secret', 'connect_method', 'connect_options', 'protocol']
  if (resource === superConnectionToken) names.push('user', 'remote_addr')
  const chosen: Record<string, Field> = Object.fromEntries(
    [...names, 'is_reusable'].map((name) => [name, resource.fields[name] as Field]),
  )
  // A token needs a user and an asset, although the contract's schema makes both optional.
  const demanded = resource === superConnectionToken ? ['asset', 'user'] : ['asset']
  for (const name of demanded) chosen[name] = { ...(chosen[name] as Field), required: true, nullable: false }
  return chosen
}

/** A body for a new token; the fields that may be missing have no default. */
interface SentToken {
  asset: string
  account: string
  protocol?: string
  connect_method: string
  connect_options?: StoredRow
  input_username?: string
  input_secret?: string
  is_reusable?: boolean
  user: string
  remote_addr?: string
}

async function wantedFrom(ctx: Context, resource: Resource, body: unknown): Promise<SentToken> {
  const fields: Readonly<Record<string, Field>> = sentFields(resource)
  const values = readBody<SentToken>(ctx, fields, body)
  const { user } = fields
  if (user?.resolve && values.user !== undefined)
    await user.resolve(ctx, [values.user], (_index, problem) => {
      throw new ApiError(400, 'unknown', (language) => ({
        user: [problem].flat().map((one) => render(one as Text, language)),
      }))
    })
  return values
}

const wanted = (values: SentToken): Wanted => ({
  asset: values.asset,
  account: values.account,
  protocol: values.protocol || 'ssh',
  connect_method: values.connect_method,
  connect_options: values.connect_options ?? {},
  input_username: values.input_username ?? '',
  input_secret: values.input_secret ?? '',
  is_reusable: values.is_reusable ?? false,
})

const answer = async (ctx: Context, resource: Resource, row: StoredRow) =>
  created(await serializeOne(ctx, resource, row, 'create'))

async function make({ ctx, request }: Handling): Promise<unknown> {
  const values = await wantedFrom(ctx, connectionToken, request.body)
  return answer(
    ctx,
    connectionToken,
    await createToken(ctx, ctx.me, wanted(values), { ip: ctx.ip, review: reviewOf(request) }),
  )
}

async function makeForOther({ ctx, request }: Handling): Promise<unknown> {
  const values = await wantedFrom(ctx, superConnectionToken, request.body)
  const ip = values.remote_addr && isIP(values.remote_addr) ? values.remote_addr : ctx.ip
  return answer(
    ctx,
    superConnectionToken,
    await createToken(ctx, (await findAnyUser(ctx, values.user)) as Subject, wanted(values), {
      ip,
      review: reviewOf(request),
    }),
  )
}

/** A token by id, of any user and even if expired; 404 when it does not exist. */
async function anyToken(ctx: Context, sent: unknown): Promise<TokenRow> {
  const id = normalUuid(keyOf(sent))
  const row = id
    ? await ctx.rawDb.selectFrom(connectionToken.table).selectAll().where('id', '=', id).executeTakeFirst()
    : undefined
  if (!row) throw notFound(nameOf(connectionToken))
  return decoded(connectionToken, row)
}

findTokenOwnersBy(async (ctx, id) => {
  const row = await ctx.rawDb.selectFrom(connectionToken.table).selectAll().where('id', '=', id).executeTakeFirst()
  return row && (await standingOf(ctx, decoded(connectionToken, row))).user.id
})

/** The caller's own token in the path, unless expired; 404 otherwise. */
async function ownToken({ ctx, request }: Handling): Promise<TokenRow> {
  const token = await anyToken(ctx, request.params.id)
  if (token.user_id !== ctx.me.id || isExpired(token)) throw notFound(nameOf(connectionToken))
  return token
}

async function exchange({ ctx, request }: Handling): Promise<unknown> {
  const body = objectOf(request.body)
  const old = await anyToken(ctx, body.id ?? body.pk)
  if (old.user_id !== ctx.me.id) throw notFound(nameOf(connectionToken))
  return answer(ctx, connectionToken, await exchangeToken(ctx, old, reviewOf(request)))
}

async function expire(handling: Handling): Promise<unknown> {
  const token = await ownToken(handling)
  await updateRow(handling.ctx, connectionToken, token.id, { date_expired: handling.ctx.now })
  return noContent()
}

async function reuse(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const token = await ownToken(handling)
  // An approval allows one connection.
  if (!mayBeReused(ctx) || token.from_ticket_id)
    throw new ApiError(400, 'reuse', (language) => [render(text(authenticationMessages.reuse_disabled), language)])
  const { is_reusable = false } = readBody<{ is_reusable?: boolean }>(
    ctx,
    { is_reusable: boolean() as Field },
    request.body,
  )
  await updateRow(ctx, connectionToken, token.id, { is_reusable, date_expired: expiryOf(ctx, is_reusable) })
  const shown = await serializeOne(ctx, connectionToken, { ...(await anyToken(ctx, token.id)) })
  return { id: shown.id, date_expired: shown.date_expired, is_reusable }
}

/** The fields of a token that may be changed later: its target was authorized at creation. */
const { connect_method, connect_options } = connectionToken.fields
const changeable = Object.fromEntries(
  Object.entries({ connect_method, connect_options }).map(([name, field]) => [
    name,
    { ...field, required: false, default: undefined },
  ]),
)

async function change(handling: Handling): Promise<unknown> {
  const { ctx, request } = handling
  const token = await ownToken(handling)
  const values = readBody(ctx, changeable, request.body)
  if (Object.keys(values).length > 0) await updateRow(ctx, connectionToken, token.id, values)
  return serializeOne(ctx, connectionToken, await anyToken(ctx, token.id))
}

const idBody = { id: textField({ max: 64, required: true }) as Field }

async function renew({ ctx, request }: Handling): Promise<unknown> {
  const token = await anyToken(ctx, readBody(ctx, idBody, request.body).id)
  if (isExpired(token)) throw failure(403, 'permission_denied', text(errors.token_invalid))
  // A reusable token already lives longer than a renewal would allow.
  const until = Math.max(token.date_expired, expiryOf(ctx, false))
  await updateRow(ctx, connectionToken, token.id, { date_expired: until })
  return { ok: true, msg: render(text(authenticationMessages.token_renewed), ctx.language) }
}

const secretBody = {
  ...idBody,
  // Described as in the contract; the actual default depends on the asset.
  expire_now: describedAs({ ...boolean({ resets: false }), default: undefined } as Field, { default: true }),
}

async function secret({ ctx, request }: Handling): Promise<unknown> {
  const body = readBody<{ id: string; expire_now?: boolean }>(ctx, secretBody, request.body)
  // Our gateways name the session they are about to begin, or that they only read, and choose among the gateways of a
  // domain themselves; components of the contract send nothing of this.
  const { session, look, gateways } = objectOf(request.body)
  const token = await anyToken(ctx, body.id)
  if (look === true) return tokenSecret(ctx, token, 'look')
  return tokenSecret(ctx, token, {
    expireNow: body.expire_now,
    session: normalUuid(session),
    gateways: gateways === true,
  })
}

/** Routes that create or use a token; the standard ones come from the resources. */
const ownRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: connectionToken.url,
    requires: 'authentication.add_connectiontoken',
    summary: 'Request a connection to an asset',
    statuses: [201],
    // Rejections must be logged in the operate log.
    transaction: 'none',
    handle: make,
  }),
  defineRoute({
    method: 'POST',
    path: `${connectionToken.url}exchange/`,
    requires: 'authentication.add_connectiontoken',
    summary: 'A new token like an earlier one',
    statuses: [201],
    describes: connectionToken.url,
    transaction: 'none',
    handle: exchange,
  }),
  defineRoute({
    method: 'PATCH',
    path: `${connectionToken.url}:id/`,
    requires: 'nobody',
    summary: 'Change the connect method of a token',
    handle: change,
  }),
  defineRoute({
    method: 'PATCH',
    path: `${connectionToken.url}:id/expire/`,
    requires: 'authentication.expire_connectiontoken',
    summary: 'Expire a token',
    statuses: [204],
    handle: expire,
  }),
  defineRoute({
    method: 'PATCH',
    path: `${connectionToken.url}:id/reuse/`,
    requires: 'authentication.reuse_connectiontoken',
    summary: 'Make a token reusable or single-use',
    handle: reuse,
  }),
  defineRoute({
    method: ['GET', 'POST'],
    path: `${connectionToken.url}:id/client-url/`,
    requires: 'authentication.add_connectiontoken',
    summary: 'The URL with which a local client opens the connection',
    handle: async (handling) => clientUrl(handling.ctx, await ownToken(handling), handling.request.origin),
  }),
  defineRoute({
    method: ['GET', 'POST'],
    path: `${connectionToken.url}:id/rdp-file/`,
    requires: 'authentication.add_connectiontoken',
    summary: 'The file with which a remote desktop client opens the connection',
    mediaType: 'application/octet-stream',
    handle: async (handling) => {
      const { ctx, request } = handling
      return rdpFile(ctx, await ownToken(handling), request.query, request.origin)
    },
  }),
]

/** The same under the URL that older clients use. */
const aliases: Route[] = [...resourceRoutes(connectionToken), ...ownRoutes].map((route) => ({
  ...route,
  path: route.path.replace(connectionToken.url, '/api/v1/users/connection-token/'),
  describes: connectionToken.url,
  listed: route.path === connectionToken.url,
}))

/** Actions of a token's owner are rejected here as forbidden, not as unknown. */
const refused: Route[] = ownRoutes
  .filter(({ path }) => path !== connectionToken.url)
  .map((route) => ({
    ...route,
    path: route.path.replace(connectionToken.url, superConnectionToken.url),
    requires: 'nobody',
    describes: superConnectionToken.url,
  }))

const superRoutes: Route[] = [
  ...refused,
  defineRoute({
    method: 'POST',
    path: superConnectionToken.url,
    requires: 'authentication.add_superconnectiontoken',
    componentsOnly: true,
    summary: 'Request a connection for a user, as a component',
    statuses: [201],
    transaction: 'none',
    handle: makeForOther,
  }),
  defineRoute({
    method: 'PATCH',
    path: `${superConnectionToken.url}renewal/`,
    requires: 'authentication.add_superconnectiontoken',
    componentsOnly: true,
    summary: 'Extend a token while its user has not decided yet',
    fields: { PATCH: idBody },
    describes: superConnectionToken.url,
    handle: renew,
  }),
  defineRoute({
    method: 'POST',
    path: `${superConnectionToken.url}secret/`,
    requires: 'authentication.view_superconnectiontokensecret',
    componentsOnly: true,
    summary: 'The data of one connection for a component, including the credential',
    fields: { POST: secretBody },
    handle: secret,
  }),
  defineRoute({
    method: 'POST',
    path: `${superConnectionToken.url}applet-option/`,
    requires: 'authentication.view_superconnectiontoken',
    componentsOnly: true,
    summary: 'The host and the account with which a component runs the application of a token',
    describes: superConnectionToken.url,
    handle: async ({ ctx, request }) => appletOption(ctx, await anyToken(ctx, readBody(ctx, idBody, request.body).id)),
  }),
  defineRoute({
    method: ['POST', 'DELETE'],
    path: `${superConnectionToken.url}applet-account/release/`,
    requires: 'authentication.view_superconnectiontoken',
    componentsOnly: true,
    summary: 'Free the account of an application host that the component was given',
    describes: superConnectionToken.url,
    handle: async ({ ctx, request }) => releaseAppletAccount(ctx, String(readBody(ctx, idBody, request.body).id)),
  }),
]

export const tokenRoutes: Route[] = [...ownRoutes, ...aliases, ...superRoutes]
